export type { FieldProblem, Problem } from './problem';
export { backoffMs, retry } from './retry';
export type { BackoffOptions, RetryOptions } from './retry';
