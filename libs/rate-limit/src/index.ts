export type { Meter, Metered, Remaining } from './meter.js';
export { openLimiter, type OpenLimiter } from './open-limiter.js';
export { RateLimiter } from './rate-limiter.js';
