export { createCallerResolver } from './caller-resolver';
export type { CallerResolver } from './caller-resolver';
export { RateLimit } from './rate-limit';
