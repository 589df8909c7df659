import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from './catalog';
import { leavesOf } from './leaves';

/** What people read, and nobody is charged by. */
const DISPLAY_FIELDS: ReadonlySet<string> = new Set(['label', 'statement', 'includes']);

/**
 * Where a catalog takes back what was published. Cards stay as they are, because accounts are charged by them; so do
 * the amounts and instants of what legacy customers have, and the rules that programs read. Words may change.
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
    return [`usage/${card.version}.json: is ${now ? 'not as it was' : 'gone, but was'} published; add a card instead`];
  });
}

/** Something may be added, but nothing taken away or changed. */
function changedTerms(file: string, published: unknown, current: unknown): string[] {
  const now = leavesOf(current, DISPLAY_FIELDS);
  return [...leavesOf(published, DISPLAY_FIELDS)]
    .filter(([place, value]) => now.get(place) !== value)
    .map(([place, value]) => `${file}: ${place} was published as ${value} and stays so`);
}
