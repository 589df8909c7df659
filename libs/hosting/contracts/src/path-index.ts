import type { PathPattern } from './path-pattern';

/** Longest pattern, in segments. */
const MAX_SEGMENTS = 32;
/** Maximum number of arrangements of literals, placeholders and a trailing "*", such as `/a/:b` or `/a/b/*`. */
const MAX_SHAPES = 64;

/** Patterns with the same arrangement of literals and placeholders share a node. */
class ShapeNode<T> {
  literal: ShapeNode<T> | undefined;
  placeholder: ShapeNode<T> | undefined;
  /** Entries of the patterns that end here without a "*", by their literals. */
  closed: Map<string, T> | undefined;
  /** Entries of the patterns that end here with a "*", by their literals. */
  open: Map<string, T> | undefined;
}

/**
 * Finds the entries of all path patterns that match a path. A lookup visits shapes, not patterns: thousands of patterns
 * that differ only in their literals cost one hash lookup, and the number of shapes is limited.
 */
export class PathIndex<T> {
  readonly #root = new ShapeNode<T>();
  /** A code of two characters for each literal keeps the keys short. */
  readonly #codes = new Map<string, string>();
  #shapes = 0;
  #depth = 0;

  /**
   * Finds or creates the entry that is shared by all patterns that match the same paths as this one.
   * @param create creates the entry when it does not exist.
   * @returns the entry, or why the limits reject the pattern.
   */
  entryFor({ segments, open }: PathPattern, create: () => T): { readonly entry: T } | { readonly fault: string } {
    if (segments.length > MAX_SEGMENTS) return { fault: `The path has more than ${MAX_SEGMENTS} segments.` };
    const kind = open ? 'open' : 'closed';
    let known: ShapeNode<T> | undefined = this.#root;
    for (const segment of segments) known = 'name' in segment ? known?.placeholder : known?.literal;
    if (!known?.[kind]) {
      if (this.#shapes === MAX_SHAPES) {
        return { fault: `There are more than ${MAX_SHAPES} different arrangements of placeholders and "*".` };
      }
      this.#shapes += 1;
      this.#depth = Math.max(this.#depth, segments.length);
    }
    const entries = (this.#nodeFor(segments)[kind] ??= new Map<string, T>());
    const key = segments.map((segment) => ('name' in segment ? '' : this.#codeFor(segment.literal))).join('');
    const entry = entries.get(key) ?? create();
    entries.set(key, entry);
    return { entry };
  }

  /**
   * @param segments the decoded segments of a path.
   * @returns the entries of all patterns that match it, at most one of each shape.
   */
  matching(segments: readonly string[]): readonly T[] {
    const found: T[] = [];
    const codes = segments.slice(0, this.#depth).map((segment) => this.#codes.get(segment));
    const visit = (node: ShapeNode<T>, depth: number, key: string): void => {
      const open = node.open?.get(key);
      if (open !== undefined) found.push(open);
      if (depth === segments.length) {
        const exact = node.closed?.get(key);
        if (exact !== undefined) found.push(exact);
      }
      if (depth >= codes.length) return;
      const code = codes[depth];
      if (node.literal && code !== undefined) visit(node.literal, depth + 1, key + code);
      if (node.placeholder) visit(node.placeholder, depth + 1, key);
    };
    visit(this.#root, 0, '');
    return found;
  }

  #nodeFor(segments: PathPattern['segments']): ShapeNode<T> {
    let node = this.#root;
    for (const segment of segments) {
      node = 'name' in segment ? (node.placeholder ??= new ShapeNode()) : (node.literal ??= new ShapeNode());
    }
    return node;
  }

  #codeFor(literal: string): string {
    let code = this.#codes.get(literal);
    if (code === undefined) {
      code = String.fromCharCode(this.#codes.size >>> 15, this.#codes.size & 0x7fff);
      this.#codes.set(literal, code);
    }
    return code;
  }
}
