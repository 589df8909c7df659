/**
 * Why no certificate was issued. `unavailable`: the authority did not answer, and the order may continue. The order of
 * the others has ended: `rate-limited` by the authority, `rejected` by it, a challenge that `failed`, or an order that it
 * does not know any more (`lost`).
 */
export type IssuanceProblem = 'unavailable' | 'rate-limited' | 'rejected' | 'challenge-failed' | 'lost';

/** An order failed. It is repeated later. */
export class IssuanceFailed extends Error {
  constructor(
    readonly problem: IssuanceProblem,
    detail: string,
    /** Milliseconds that the authority asks to wait. */
    readonly retryAfterMs?: number,
    options?: ErrorOptions,
  ) {
    super(detail, options);
  }
}
