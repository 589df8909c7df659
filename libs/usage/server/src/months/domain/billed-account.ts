import { cardFor, itemsOf, type UsageCard } from '@homeport/pricing/contracts';
import type { LegacyPlans, StatementReference } from '@homeport/usage/contracts';
import { hourOf, hoursAfter } from '../../metering/domain/usage-event';
import { type LegacyPrices, legacyPlansOf } from './legacy-plans';

const DAY_HOURS = 24;

/** An account with the prices that it pays. */
export interface BilledAccount {
  readonly organization: string;
  readonly createdAt: Date;
  /** Undefined for an account that is older than the first card: its legacy plan is charged elsewhere. */
  readonly card: UsageCard | undefined;
  /** Null for an account with a card. */
  readonly legacyPlans: LegacyPlans | null;
  /** The start of the first hour that the trial does not cover; the creation of an account without a card. */
  readonly trialEndsAt: Date;
  /** The ids of the items of the card. */
  readonly itemIds: readonly string[];
  /** The statement that is in effect now. */
  readonly statement: StatementReference;
}

interface Prices {
  readonly cards: readonly UsageCard[];
  readonly statement: StatementReference;
  readonly legacy: LegacyPrices;
}

export function billedAccount(
  { organization, createdAt }: Pick<BilledAccount, 'organization' | 'createdAt'>,
  { cards, statement, legacy }: Prices,
): BilledAccount {
  const card = cardFor(createdAt, cards);
  return {
    organization,
    createdAt,
    card,
    legacyPlans: card ? null : legacyPlansOf(createdAt, legacy),
    trialEndsAt: card ? endOfTrial(createdAt, card) : createdAt,
    itemIds: card ? itemsOf(card).map(({ id }) => id) : [],
    statement,
  };
}

/** Usage is recorded by the hour, so a trial ends with the hour that contains its end. */
function endOfTrial(createdAt: Date, { trial }: UsageCard): Date {
  const end = hoursAfter(createdAt, trial.days * DAY_HOURS);
  const hour = hourOf(end);
  return hour < end ? hoursAfter(hour, 1) : hour;
}
