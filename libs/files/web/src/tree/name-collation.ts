import { perLanguage } from '@homeport/platform/web';

/** Sorts "file 2" before "file 10", and ignores case. */
const collator = perLanguage((language) => new Intl.Collator(language, { numeric: true, sensitivity: 'base' }));

const ZERO = 48;
const NINE = 57;
/** The sort weight of each ASCII character; equal for characters that the collator treats as equal. */
let weights: Uint8Array | undefined;

function asciiWeights(): Uint8Array {
  const characters = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).sort(collator().compare);
  const table = new Uint8Array(128);
  let weight = 1;
  characters.forEach((character, index) => {
    const before = characters[index - 1];
    if (before !== undefined && collator().compare(before, character) !== 0) weight += 1;
    table[character.charCodeAt(0)] = weight;
  });
  return table;
}

/**
 * A sort key: comparing two keys with `<` gives the order of the collator, many times faster. Undefined for names with
 * characters other than printable ASCII and accents, which the collator ignores. A number becomes the count of its
 * digits followed by the digits, so that longer numbers are larger.
 */
export function collationKey(name: string): string | undefined {
  return keyOf(name) ?? keyOf(name.normalize('NFD').replace(/\p{M}/gu, ''));
}

/** Longer names have no key: a key is up to twice as long, and all its characters become arguments of one call. */
const MAX_KEYED_LENGTH = 512;

function keyOf(name: string): string | undefined {
  const table = (weights ??= asciiWeights());
  if (name.length > MAX_KEYED_LENGTH) return undefined;
  // String concatenation would build a rope, which compares slowly.
  const codes: number[] = [];
  for (let at = 0; at < name.length; at += 1) {
    const code = name.charCodeAt(at);
    if (code < 32 || code > 126) return undefined;
    if (code < ZERO || code > NINE) codes.push(table[code] as number);
    else {
      const end = endOfNumber(name, at);
      while (at < end - 1 && name.charCodeAt(at) === ZERO) at += 1;
      codes.push(table[ZERO] as number, end - at);
      for (; at < end; at += 1) codes.push(name.charCodeAt(at));
      at -= 1;
    }
  }
  return String.fromCharCode(...codes);
}

function endOfNumber(name: string, start: number): number {
  let end = start + 1;
  while (end < name.length && name.charCodeAt(end) >= ZERO && name.charCodeAt(end) <= NINE) end += 1;
  return end;
}

/** A name with a sort key, which is computed at the first comparison. */
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
