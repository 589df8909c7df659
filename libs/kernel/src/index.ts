export {
  CapacityUnavailable,
  DatabaseUnavailable,
  ExpectationFailed,
  HeadersTooLarge,
  InternalError,
  InvalidRequest,
  MethodNotAllowed,
  NoRoute,
  PayloadTooLarge,
  RateLimited,
  RequestTimedOut,
  UnsupportedMediaType,
} from './errors/common.errors';
export { DomainError, ERROR_KINDS } from './errors/domain-error';
export type { ErrorKind } from './errors/domain-error';
export { problemOf, statusOf } from './errors/problem-of';
export type { FieldProblem, Problem } from './errors/problem';
export { EncodedJson } from './http/encoded-json';
export { matchesETagStrongly, matchesETagWeakly } from './http/entity-tags';
export { normalizedPathOf, parseStrictQuery, rawPathOf, rawQueryOf } from './http/request-target';
export { isSecureUrl } from './http/secure-url';
export { backoffMs, retry } from './limits/retry';
export type { BackoffOptions, RetryOptions } from './limits/retry';
export { Semaphore } from './limits/semaphore';
export type { AcquireOptions, ReleasePermit, SemaphoreOptions } from './limits/semaphore';
export { TokenBucket } from './limits/token-bucket';
export type { AcquireTokenOptions, TokenBucketOptions } from './limits/token-bucket';
export { WorkPool } from './limits/work-pool';
