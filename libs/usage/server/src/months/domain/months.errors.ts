import { DomainError, type FieldProblem } from '@homeport/kernel';

/** The period of a request is not the current or a past month. */
export class PeriodInvalid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'usage.period-invalid';
  override readonly fields: readonly FieldProblem[];

  /** @param reason such as "is in the future". */
  constructor(reason: string) {
    super(`The period ${reason}.`);
    this.fields = [{ field: 'period', reason }];
  }
}

/** The usage card of the account has no such item. */
export class ItemUnknown extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'usage.item-unknown';
  override readonly fields: readonly FieldProblem[];

  constructor(items: readonly string[]) {
    super('The usage card of this account has no such item.');
    const reason =
      items.length > 0 ? `must be one of ${items.join(', ')}` : 'has no value for an account with a legacy plan';
    this.fields = [{ field: 'item', reason }];
  }
}

/**
 * The month is not charged: it has not ended, ended less than 24 hours ago, or is older than the account, or the account
 * has a legacy plan.
 */
export class ChargeNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'usage.charge-not-found';

  constructor() {
    super('This month is not charged. A month is charged 24 hours after its end (UTC).');
  }
}

/** The month is not charged, because the operator has turned metering off. */
export class MeteringOff extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'usage.metering-off';

  constructor() {
    super('This month is not charged. Metering is off: Homeport measures no usage and charges no month.');
  }
}

/** Not all accounts are charged for the month. The message is shown to the operator. */
export class MonthNotCharged extends Error {
  override readonly name = 'MonthNotCharged';

  constructor(period: string) {
    super(
      `${period} is not charged. A month is charged 24 hours after its end (UTC), while an API with METERING=on runs.`,
    );
  }
}

/** An account could not be charged for a month. The message is logged; `cause` is the reason. */
export class AccountNotCharged extends Error {
  override readonly name = 'AccountNotCharged';

  constructor(
    readonly organization: string,
    readonly period: string,
    options: ErrorOptions,
  ) {
    super(`${organization} is not charged for ${period}.`, options);
  }
}

/** The accounts that the message of `AccountsNotCharged` names. */
const MAX_NAMED = 10;

/** Accounts could not be charged. The message is logged; `errors` has an `AccountNotCharged` for each of them. */
export class AccountsNotCharged extends AggregateError {
  override readonly name = 'AccountsNotCharged';

  constructor(failures: readonly AccountNotCharged[]) {
    const named = failures.slice(0, MAX_NAMED).map(({ organization, period }) => `${organization} for ${period}`);
    const others = failures.length - named.length;
    const more = others > 0 ? ` and ${others} more` : '';
    super(failures, `Not all accounts are charged. Missing: ${named.join(', ')}${more}.`);
  }
}
