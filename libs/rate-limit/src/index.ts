export { openLimiter, type OpenLimiter } from './open-limiter.js';
export { RateLimiter, type Meter, type Metered, type Remaining } from './rate-limiter.js';
