import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from './catalog';
import { breakingChanges, shapeOf } from './compatibility';
import { parseCatalog, type RawCatalog } from './parse-catalog';
import { PublicationRefused } from './pricing.errors';
import { compileRevision, type VerifiedRevision, verifyRevision, type Revision } from './revision';
import { immutabilityViolations } from './immutability-violations';

/**
 * Minimum notice of a price change: twice the time that a cache may keep a statement. So a cached statement of up to
 * that age is always either current or announces the change.
 */
export const MIN_NOTICE_MS = 600_000;
/** Time allowance for storing an announcement in the database. */
const PUBLICATION_DELAY_MS = 3_000;
/** A larger change is probably a misplaced decimal point. */
const MAX_PRICE_FACTOR = 10;

export interface PublicationContext {
  /** All published revisions in the order of publication. */
  readonly published: readonly Revision[];
  readonly now: Date;
  /** Whether prices may change more than tenfold. */
  readonly areLargeChangesAllowed?: boolean;
}

/**
 * Plans the revisions that publish a catalog: one statement that takes effect at once, and one for the start of each
 * upcoming card.
 * @returns no revisions when nothing changes.
 * @throws {CatalogUnavailable} when the catalog is invalid.
 * @throws {PublicationRefused} with all violated publication rules.
 */
export function planPublication(source: RawCatalog, options: PublicationContext): Revision[] {
  const { published, now } = options;
  const catalog = parseCatalog(source);
  const before = published.map(verifyRevision);
  const at = new Date(Math.ceil((now.getTime() + PUBLICATION_DELAY_MS) / 1_000) * 1_000);
  const startedCards = catalog.cards.filter(({ newSignupsFrom }) => Date.parse(newSignupsFrom) <= at.getTime());
  const last = before.at(-1);
  const problems = [
    ...(last ? immutabilityViolations(last.catalog, catalog) : []),
    ...newCardProblems(catalog, last?.catalog, options),
    ...(startedCards.length === 0 ? ['usage: no card is in effect yet'] : []),
  ];
  if (problems.length > 0) throw new PublicationRefused(problems);
  if (last && isDeepStrictEqual(last.catalog, catalog)) return [];
  const revisions = revisionsFrom(at, { source, catalog }, before);
  rejectBreakingChanges(before, revisions.map(verifyRevision));
  return revisions;
}

interface Sources {
  readonly source: RawCatalog;
  readonly catalog: Catalog;
}

function revisionsFrom(at: Date, { source, catalog }: Sources, before: readonly VerifiedRevision[]): Revision[] {
  const taken = new Set(before.map(({ version }) => version));
  const announced = new Set(before.at(-1)?.catalog.cards.map(({ version }) => version));
  const versionFor = (preferred: string) => {
    // The version of a card may already have a number.
    const day = preferred.slice(0, 10);
    const version = [preferred, ...Array.from({ length: taken.size + 1 }, (_, n) => `${day}.${n + 2}`)].find(
      (each) => !taken.has(each),
    ) as string;
    taken.add(version);
    return version;
  };
  const upcoming = catalog.cards.filter(({ newSignupsFrom }) => Date.parse(newSignupsFrom) > at.getTime());
  const immediate = { version: versionFor(at.toISOString().slice(0, 10)), effectiveAt: at, pricesFrom: null };
  return [
    compileRevision(source, immediate),
    ...upcoming.map((card) => {
      const effectiveAt = new Date(card.newSignupsFrom);
      // Texts may change until the card starts, because its prices have already been announced.
      const pricesFrom = announced.has(card.version) ? null : effectiveAt;
      return compileRevision(source, { version: versionFor(card.version), effectiveAt, pricesFrom });
    }),
  ];
}

function newCardProblems(catalog: Catalog, last: Catalog | undefined, options: PublicationContext): string[] {
  const known = new Set(last?.cards.map(({ version }) => version));
  const lastBegin = Math.max(0, ...(last?.cards ?? []).map(({ newSignupsFrom }) => Date.parse(newSignupsFrom)));
  return catalog.cards.flatMap((card, n) => {
    if (!last || known.has(card.version)) return [];
    const begin = Date.parse(card.newSignupsFrom);
    const place = `usage/${card.version}.json`;
    return [
      ...(begin < options.now.getTime() + MIN_NOTICE_MS + PUBLICATION_DELAY_MS
        ? [
            `${place}: begins less than ${MIN_NOTICE_MS / 60_000} minutes from now; price changes require that much notice`,
          ]
        : []),
      ...(begin <= lastBegin ? [`${place}: begins before a card that is already published`] : []),
      ...(options.areLargeChangesAllowed ? [] : largeChangeProblems(place, card, catalog.cards[n - 1])),
    ];
  });
}

type Card = Catalog['cards'][number];

function largeChangeProblems(place: string, card: Card, before: Card | undefined): string[] {
  if (!before) return [];
  const earlier = new Map(amountsOf(before));
  return amountsOf(card).flatMap(([name, amount]) => {
    const was = earlier.get(name) ?? amount;
    const isLarge = amount > was * MAX_PRICE_FACTOR || amount * MAX_PRICE_FACTOR < was;
    return isLarge
      ? [`${place}: ${name} changes more than ${MAX_PRICE_FACTOR}-fold, from ${was} to ${amount} USD`]
      : [];
  });
}

function amountsOf(card: Card): [string, number][] {
  return [
    ['includedUsd', Number(card.includedUsd)],
    ['trial.capUsd', Number(card.trial.capUsd)],
    ...card.meters.map(({ id, unitUsd }): [string, number] => [id, Number(unitUsd)]),
    ...card.boxes.map(({ size, monthlyUsd }): [string, number] => [`box ${size}`, Number(monthlyUsd)]),
    ['domains.standardUsd', Number(card.domains.standardUsd)],
    ['domains.premiumUsd', Number(card.domains.premiumUsd)],
  ];
}

/** Compares the statements themselves, so a change in the code cannot remove published fields. */
function rejectBreakingChanges(before: readonly VerifiedRevision[], after: readonly VerifiedRevision[]): void {
  const problems = after.flatMap((newer) =>
    before.flatMap((older) =>
      breakingChanges(shapeOf(older.statement), shapeOf(newer.statement)).map(
        (each) => `${newer.version} breaks readers of ${older.version}: ${each}`,
      ),
    ),
  );
  if (problems.length > 0) throw new PublicationRefused(problems);
}
