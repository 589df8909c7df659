export { createCallerResolver } from './caller-resolver';
export type { CallerResolver } from './caller-resolver';
export { RateLimits1766100000100 } from './migrations/1766100000100-rate-limits';
export { RateLimit } from './rate-limit';
export type { RateLimitQuery } from './rate-limit';
