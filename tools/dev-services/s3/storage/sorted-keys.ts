/** An insertion shifts at most this many entries, regardless of the number of keys. */
const BLOCK_LIMIT = 1024;

const OUT_OF_ORDER = /[\ud800-\uffff]/;

/**
 * Returns a string that sorts with `<` like the key's UTF-8 bytes. UTF-16 differs from UTF-8 only by sorting surrogates
 * before U+E000–U+FFFF, so the rank swaps these two ranges; for nearly all keys it equals the key. Prefixes stay
 * prefixes, and no rank contains U+FFFF directly after a whole character.
 */
export function rankOf(key: string): string {
  if (!OUT_OF_ORDER.test(key)) return key;
  let rank = '';
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit < 0xd800) rank += key.charAt(i);
    else rank += String.fromCharCode(unit < 0xe000 ? unit + 0x2000 : unit - 0x800);
  }
  return rank;
}

/** Returns the smallest rank after this one. */
export function justAfter(rank: string): string {
  return `${rank}\0`;
}

/** Returns a rank after everything that starts with this one. */
export function afterAllWith(rank: string): string {
  return `${rank}\uffff`;
}

export interface RankedKey {
  readonly rank: string;
  readonly key: string;
}

/** Keys in UTF-8 order, in blocks, so that the cost of an insertion does not grow with the number of keys. */
export class SortedKeys {
  private blocks: RankedKey[][] = [];

  static from(keys: Iterable<string>): SortedKeys {
    const all = Array.from(keys, (key) => ({ rank: rankOf(key), key }));
    all.sort((a, b) => (a.rank < b.rank ? -1 : 1));
    const sorted = new SortedKeys();
    // Half full, so that the first insertions do not split every block.
    for (let i = 0; i < all.length; i += BLOCK_LIMIT / 2) sorted.blocks.push(all.slice(i, i + BLOCK_LIMIT / 2));
    return sorted;
  }

  /** The key must not exist yet. */
  add(key: string): void {
    const entry = { rank: rankOf(key), key };
    // A key after all others is appended to the last block.
    const index = Math.min(this.blockOf(entry.rank), this.blocks.length - 1);
    const block = this.blocks[index];
    if (!block) {
      this.blocks.push([entry]);
      return;
    }
    block.splice(offsetIn(block, entry.rank), 0, entry);
    if (block.length > BLOCK_LIMIT) this.blocks.splice(index + 1, 0, block.splice(BLOCK_LIMIT / 2));
  }

  delete(key: string): void {
    const rank = rankOf(key);
    const index = this.blockOf(rank);
    const block = this.blocks[index];
    if (!block) return;
    const offset = offsetIn(block, rank);
    if (block[offset]?.rank !== rank) return;
    block.splice(offset, 1);
    if (block.length === 0) this.blocks.splice(index, 1);
  }

  /** Yields the keys from this rank on. Do not change the keys during the iteration. */
  *from(rank: string): Generator<RankedKey> {
    let index = this.blockOf(rank);
    let offset = offsetIn(this.blocks[index] ?? [], rank);
    for (; index < this.blocks.length; index++, offset = 0) {
      const block = this.blocks[index] ?? [];
      for (; offset < block.length; offset++) yield block[offset] as RankedKey;
    }
  }

  /** Returns the index of the first block that ends at this rank or later. */
  private blockOf(rank: string): number {
    return lowerBound(this.blocks.length, (i) => (this.blocks[i]?.at(-1)?.rank ?? '') < rank);
  }
}

function offsetIn(block: readonly RankedKey[], rank: string): number {
  return lowerBound(block.length, (i) => (block[i]?.rank ?? '') < rank);
}

/** Returns the first index for which `isBefore` is false. */
function lowerBound(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
