export { openLimiter, type OpenLimiter } from './open-limiter.js';
export { RateLimiter, type Meter, type MeteredSubject, type Remaining } from './rate-limiter.js';
