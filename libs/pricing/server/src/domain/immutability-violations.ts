import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from './catalog';
import { leavesOf } from './leaves';

/** Texts for display, which do not affect charges. */
const DISPLAY_FIELDS: ReadonlySet<string> = new Set(['label', 'statement', 'includes']);

/**
 * Finds changes of published terms that must not change: usage cards, because accounts are charged by them, the amounts
 * and dates of legacy prices, and the machine-readable billing rules. Display texts may change.
 */
export function immutabilityViolations(published: Catalog, catalog: Catalog): string[] {
  return [
    ...changedCards(published, catalog),
    ...changedTerms('legacy.json', published.legacy, catalog.legacy),
    ...changedTerms('billing-rules.json', published.billingRules, catalog.billingRules),
  ];
}

function changedCards(published: Catalog, catalog: Catalog): string[] {
  return published.cards.flatMap((card) => {
    const now = catalog.cards.find(({ version }) => version === card.version);
    if (isDeepStrictEqual(now, card)) return [];
    return [
      `usage/${card.version}.json: was published and cannot be ${now ? 'changed' : 'removed'}; add a new card instead`,
    ];
  });
}

/** Additions are allowed; removals and changes are violations. */
function changedTerms(file: string, published: unknown, current: unknown): string[] {
  const now = leavesOf(current, DISPLAY_FIELDS);
  return [...leavesOf(published, DISPLAY_FIELDS)]
    .filter(([place, value]) => now.get(place) !== value)
    .map(([place, value]) => `${file}: ${place} was published as ${value} and must not change`);
}
