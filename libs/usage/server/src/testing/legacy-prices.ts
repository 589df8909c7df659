import type { LegacyPrices } from '../months/domain/legacy-plans';

/** One plan that was open until the first card, and one that closed earlier and keeps its price. */
export const legacyPrices: LegacyPrices = {
  plans: [
    { label: 'Starter', newSignupsUntil: '2026-10-01T00:00:00Z' },
    { label: 'Workforce', newSignupsUntil: '2026-04-01T00:00:00Z' },
  ],
  rule: { createdBefore: '2026-04-01T00:00:00Z', statement: 'Companies on the earlier workforce price keep it.' },
};
