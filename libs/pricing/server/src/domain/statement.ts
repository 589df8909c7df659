import type { PricingStatement, UsageCard } from '@homeport/pricing/contracts';
import type { Catalog } from './catalog';
import { CatalogUnavailable } from './pricing.errors';

/** Version and effective date of a statement. */
export interface StatementVersion {
  readonly version: string;
  /** When the statement becomes current. */
  readonly effectiveAt: Date;
}

/**
 * Creates the statement that takes effect at an instant, with the current card of that instant and all later cards.
 * @throws {CatalogUnavailable} when no card is in effect at that instant.
 */
export function statementOf(catalog: Catalog, { version, effectiveAt }: StatementVersion): PricingStatement {
  const startedCards = catalog.cards.filter(
    ({ newSignupsFrom }) => Date.parse(newSignupsFrom) <= effectiveAt.getTime(),
  );
  const current = startedCards.at(-1);
  if (!current) throw new CatalogUnavailable(['usage: no card is in effect yet']);
  const { legacy } = catalog;
  return {
    version,
    generatedAt: formatInstant(effectiveAt),
    currency: 'USD',
    usage: toUsageCard(current),
    upcoming: catalog.cards.slice(startedCards.length).map(toUsageCard),
    signup: catalog.signup,
    plans: legacy.plans.map((plan) => ({ ...plan, monthlyUsd: Number(plan.monthlyUsd) })),
    agentRungs: legacy.agentRungs.map((rung) => ({ ...rung, monthlyUsd: Number(rung.monthlyUsd) })),
    addOns: {
      outpost: { ...legacy.addOns.outpost, monthlyUsd: Number(legacy.addOns.outpost.monthlyUsd) },
      meetingHours: { ...legacy.addOns.meetingHours, unitUsd: Number(legacy.addOns.meetingHours.unitUsd) },
    },
    grandfatherRule: legacy.grandfatherRule,
    billingRules: catalog.billingRules,
    links: {
      self: '/v1/pricing',
      schema: '/v1/pricing/schema',
      versions: '/v1/pricing/versions',
      estimate: '/v1/pricing/estimate',
    },
  };
}

/** Formats an instant for statements: `2026-10-01T00:00:00Z`. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z');
}

/** All cards of a catalog, by the date from which they apply to new accounts. */
export function usageCards({ cards }: Pick<Catalog, 'cards'>): readonly UsageCard[] {
  return cards.map(toUsageCard);
}

/** Converts a card for a statement. Amounts have at most 15 significant digits, so their JSON numbers are exact. */
export function toUsageCard(card: Catalog['cards'][number]): UsageCard {
  return {
    ...card,
    includedUsd: Number(card.includedUsd),
    trial: { days: card.trial.days, capUsd: Number(card.trial.capUsd) },
    meters: card.meters.map(({ unitUsd, waivedInTrial, ...meter }) => ({
      ...meter,
      unitUsd: Number(unitUsd),
      ...(waivedInTrial ? { waivedInTrial } : {}),
    })),
    boxes: card.boxes.map((box) => ({ ...box, monthlyUsd: Number(box.monthlyUsd) })),
    domains: { standardUsd: Number(card.domains.standardUsd), premiumUsd: Number(card.domains.premiumUsd) },
  };
}
