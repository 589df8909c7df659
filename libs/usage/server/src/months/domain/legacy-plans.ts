import type { LegacyPlans } from '@homeport/usage/contracts';

/** The prices that accounts from before the first usage card keep. Instants are RFC 3339. */
export interface LegacyPrices {
  readonly plans: readonly { readonly label: string; readonly newSignupsUntil: string }[];
  readonly rule: { readonly createdBefore: string; readonly statement: string };
}

/** The legacy plans that an account of an age can have. */
export function legacyPlansOf(createdAt: Date, { plans, rule }: LegacyPrices): LegacyPlans {
  const isBefore = (instant: string) => createdAt < new Date(instant);
  return {
    plans: plans.filter(({ newSignupsUntil }) => isBefore(newSignupsUntil)).map(({ label }) => label),
    rule: isBefore(rule.createdBefore) ? rule.statement : null,
  };
}
