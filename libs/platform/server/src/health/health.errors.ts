import type { FieldProblem } from '@homeport/platform/contracts';
import { DomainError } from '../problems/domain-error';

/** The instance should get no requests now: a gating dependency is down, or it is shutting down. */
export class NotReady extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.not-ready';
  override readonly headers = { 'retry-after': '5' };
  override readonly fields: readonly FieldProblem[];

  /** @param options the cause says why, for the log. */
  constructor(down: readonly string[], options?: ErrorOptions) {
    super('This instance is not ready to serve requests.', options);
    this.fields = down.map((field) => ({ field, reason: 'down' }));
  }
}
