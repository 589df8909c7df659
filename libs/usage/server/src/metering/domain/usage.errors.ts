import { DomainError, type FieldProblem } from '@homeport/kernel';

/** Reported events are invalid. None of them is stored. */
export class UsageEventsInvalid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'usage.events-invalid';

  /** @param fields such as `[3].data.quantity`. */
  constructor(override readonly fields: readonly FieldProblem[]) {
    super('The events are invalid, and none of them was stored. Correct the listed fields and send all events again.');
  }
}
