import { perLanguage } from '@homeport/platform/web';

/** "file 2" before "file 10", and capitals where people look for them. */
const collator = perLanguage((language) => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }));

const ZERO = 48;
const NINE = 57;
/** The weight of each ASCII sign among the others: equal for those the collator takes for equal. */
let weights: Uint8Array | undefined;

function asciiWeights(): Uint8Array {
  const signs = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).sort(collator().compare);
  const table = new Uint8Array(128);
  let weight = 1;
  signs.forEach((sign, index) => {
    const before = signs[index - 1];
    if (before !== undefined && collator().compare(before, sign) !== 0) weight += 1;
    table[sign.charCodeAt(0)] = weight;
  });
  return table;
}

/**
 * A text that compares with `<` as the collator compares names, which takes many times as long; undefined for names
 * with other than printable ASCII signs and accents, which the collator does not look at. A number becomes its digits behind their count, so that longer ones are larger.
 */
export function collationKey(name: string): string | undefined {
  return keyOf(name) ?? keyOf(name.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Longer names have no key: one has at most twice as many signs as its name, and all of them are arguments of a call. */
const MAX_KEYED_LENGTH = 512;

function keyOf(name: string): string | undefined {
  const table = (weights ??= asciiWeights());
  if (name.length > MAX_KEYED_LENGTH) return undefined;
  // Joining strings would leave a tree of pieces, which compares slowly.
  const signs: number[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code < 32 || code > 126) return undefined;
    if (code < ZERO || code > NINE) signs.push(table[code] as number);
    else {
      const end = endOfNumber(name, at);
      while (at < end - 1 && name.charCodeAt(at) === ZERO) at += 1;
      signs.push(table[ZERO] as number, end - at);
      for (; at < end; at += 1) signs.push(name.charCodeAt(at));
      at -= 1;
    }
  }
  return String.fromCharCode(...signs);
}

function endOfNumber(name: string, start: number): number {
  let end = start + 1;
  while (end < name.length && name.charCodeAt(end) >= ZERO && name.charCodeAt(end) <= NINE) end += 1;
  return end;
}

/** Something in the order of names; its key is made when it is first compared. */
export class CollatedName {
  #key: string | undefined;
  #isKeyed = false;

  constructor(readonly name: string) {}

  get key(): string | undefined {
    if (!this.#isKeyed) {
      this.#key = collationKey(this.name);
      this.#isKeyed = true;
    }
    return this.#key;
  }
}

export function compareNames(a: CollatedName, b: CollatedName): number {
  const one = a.key;
  const other = b.key;
  if (one === undefined || other === undefined) return collator().compare(a.name, b.name);
  return one < other ? -1 : one > other ? 1 : 0;
}
