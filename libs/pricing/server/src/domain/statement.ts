import type { PricingStatement, UsageCard } from '@homeport/pricing/contracts';
import type { Catalog } from './catalog';
import { CatalogUnavailable } from './pricing.errors';

/**
 * The statement of a catalog at an instant: the card in force, and the ones announced after it.
 * @throws {CatalogUnavailable} before the first card begins.
 */
export function statementOf(catalog: Catalog, at: Date): PricingStatement {
  const begun = catalog.cards.filter(({ newSignupsFrom }) => Date.parse(newSignupsFrom) <= at.getTime());
  const current = begun.at(-1);
  if (!current) throw new CatalogUnavailable(['usage: no card has begun yet']);
  const { legacy } = catalog;
  return {
    version: current.version,
    generatedAt: current.newSignupsFrom,
    currency: 'USD',
    usage: wireCard(current),
    upcoming: catalog.cards.slice(begun.length).map(wireCard),
    signup: catalog.signup,
    plans: legacy.plans.map((plan) => ({ ...plan, monthlyUsd: Number(plan.monthlyUsd) })),
    agentRungs: legacy.agentRungs.map((rung) => ({ ...rung, monthlyUsd: Number(rung.monthlyUsd) })),
    addOns: {
      outpost: { ...legacy.addOns.outpost, monthlyUsd: Number(legacy.addOns.outpost.monthlyUsd) },
      meetingHours: { ...legacy.addOns.meetingHours, unitUsd: Number(legacy.addOns.meetingHours.unitUsd) },
    },
    grandfatherRule: legacy.grandfatherRule,
    billingRules: catalog.billingRules,
    links: { self: '/v1/pricing' },
  };
}

/** Amounts have at most 15 significant digits, so the JSON number says exactly what the decimal string said. */
function wireCard(card: Catalog['cards'][number]): UsageCard {
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
