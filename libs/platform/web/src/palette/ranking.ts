/** Searchable text in lower case, and the index where the name starts in it. */
export interface Searchable {
  readonly text: string;
  readonly nameAt: number;
}

/** The words of a query; all of them must match. */
export function queryTerms(query: string): readonly string[] {
  return query
    .normalize('NFC')
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== '');
}

export function searchable(text: string, nameAt = 0): Searchable {
  return { text: text.normalize('NFC').toLowerCase(), nameAt };
}

const WHOLE_NAME = 0;
const NAME_BEGINS = 1;
const WORD_IN_NAME = 2;
const IN_NAME = 3;
const IN_PATH = 4;
const SUBSEQUENCE_IN_NAME = 5;
const SUBSEQUENCE = 6;

const MIN_SUBSEQUENCE_LENGTH = 3;

/** Ranks a match: lower is better; undefined without a match. Names rank before paths. */
export function rankOf(term: string, { text, nameAt }: Searchable): number | undefined {
  const at = text.indexOf(term, nameAt);
  if (at === nameAt) return text.length - nameAt === term.length ? WHOLE_NAME : NAME_BEGINS;
  if (at !== -1) return isWordStart(text, at) ? WORD_IN_NAME : IN_NAME;
  if (nameAt > 0 && text.includes(term)) return IN_PATH;
  if (isSubsequence(term, text, nameAt)) return SUBSEQUENCE_IN_NAME;
  return nameAt > 0 && isSubsequence(term, text, 0) ? SUBSEQUENCE : undefined;
}

function isWordStart(text: string, at: number): boolean {
  return /[^\p{L}\p{N}]/u.test(text.charAt(at - 1));
}

/** Whether the letters occur in order with gaps. One or two letters would match almost any text. */
function isSubsequence(term: string, text: string, from: number): boolean {
  if (term.length < MIN_SUBSEQUENCE_LENGTH) return false;
  let at = from - 1;
  for (let index = 0; index < term.length; index += 1) {
    at = text.indexOf(term.charAt(index), at + 1);
    if (at === -1) return false;
  }
  return true;
}

interface Match<T> {
  readonly item: T;
  readonly rank: number;
  readonly length: number;
}

/**
 * Returns the items that match every term, best first, at most `limit`; without terms the first ones. Handles tens of
 * thousands of items: only the best ones are sorted.
 *
 * @param searchableOf called for every item, so it must be cheap.
 */
export function bestMatches<T>(
  items: readonly T[],
  terms: readonly string[],
  limit: number,
  searchableOf: (item: T, index: number) => Searchable,
): readonly T[] {
  const best: Match<T>[] = [];
  for (const [index, item] of items.entries()) {
    const candidate = searchableOf(item, index);
    const rank = rankOfAll(terms, candidate);
    if (rank === undefined) continue;
    const match = { item, rank, length: terms.length === 0 ? 0 : candidate.text.length };
    const last = best[limit - 1];
    if (last && compare(last, match) <= 0) continue;
    insert(best, match);
    if (best.length > limit) best.pop();
  }
  return best.map(({ item }) => item);
}

function rankOfAll(terms: readonly string[], candidate: Searchable): number | undefined {
  let sum = 0;
  for (const term of terms) {
    const rank = rankOf(term, candidate);
    if (rank === undefined) return undefined;
    sum += rank;
  }
  return sum;
}

function insert<T>(best: Match<T>[], match: Match<T>): void {
  let at = best.length;
  for (let before = best[at - 1]; before && compare(before, match) > 0; before = best[at - 1]) at -= 1;
  best.splice(at, 0, match);
}

/** Of two equal matches the shorter text comes first. */
function compare(one: Match<unknown>, other: Match<unknown>): number {
  return one.rank - other.rank || one.length - other.length;
}
