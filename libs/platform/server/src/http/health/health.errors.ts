import { DomainError, type FieldProblem } from '@homeport/kernel';

/** The instance should not receive requests: a gating dependency is down or unchecked, or the instance shuts down. */
export class NotReady extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.not-ready';
  override readonly headers = { 'retry-after': '5' };
  override readonly fields: readonly FieldProblem[];

  /** @param options the cause contains the reasons, for the log. */
  constructor(fields: readonly FieldProblem[], options?: ErrorOptions) {
    super('This instance is not ready to serve requests.', options);
    this.fields = fields;
  }
}
