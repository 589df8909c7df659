import type { PricingStatement, UsageCard } from '@homeport/pricing/contracts';
import type { Catalog } from './catalog';
import { CatalogUnavailable } from './pricing.errors';

/** Which statement it is. */
export interface StatementVersion {
  readonly version: string;
  /** From when it is served. */
  readonly effectiveAt: Date;
}

/**
 * The statement of a catalog as it is served from an instant on: the card in force then, and those to come after it.
 * @throws {CatalogUnavailable} before the first card begins.
 */
export function statementOf(catalog: Catalog, { version, effectiveAt }: StatementVersion): PricingStatement {
  const begun = catalog.cards.filter(({ newSignupsFrom }) => Date.parse(newSignupsFrom) <= effectiveAt.getTime());
  const current = begun.at(-1);
  if (!current) throw new CatalogUnavailable(['usage: no card has begun yet']);
  const { legacy } = catalog;
  return {
    version,
    generatedAt: formatInstant(effectiveAt),
    currency: 'USD',
    usage: toUsageCard(current),
    upcoming: catalog.cards.slice(begun.length).map(toUsageCard),
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

/** As statements write it: `2026-10-01T00:00:00Z`. */
export function formatInstant(instant: Date): string {
  return instant.toISOString().replace('.000Z', 'Z');
}

/** A card as a statement has it. Amounts have at most 15 significant digits, so the JSON number says exactly what the decimal string said. */
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
