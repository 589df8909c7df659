import type { LegacyPlans } from '@homeport/usage/contracts';
import type { LegacyPrices } from '../application/price-list.port';

/** The legacy plans that an account of an age can have. */
export function legacyPlansOf(createdAt: Date, { plans, rule }: LegacyPrices): LegacyPlans {
  const isBefore = (instant: string) => createdAt < new Date(instant);
  return {
    plans: plans.filter(({ newSignupsUntil }) => isBefore(newSignupsUntil)).map(({ label }) => label),
    rule: isBefore(rule.createdBefore) ? rule.statement : null,
  };
}
