export { openRateLimiter, type RateLimiterHandle } from './open-limiter.js';
export { RateLimiter, type Meter, type MeteredSubject, type RemainingAdmissions } from './rate-limiter.js';
