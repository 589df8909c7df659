/** A path with places that anything may stand at: `/blog/:slug`, and `/files/*` for any number of segments. */
export interface PathPattern {
  readonly segments: readonly ({ readonly literal: string } | { readonly name: string })[];
  /** Whether more segments may follow. */
  readonly open: boolean;
}

const PLACEHOLDER = /^:([a-z_]\w*)$/i;

/**
 * The decoded segments of a path as it was sent, percent-encoded; "/" at its end counts for nothing.
 * Undefined when it cannot be decoded.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || !path.isWellFormed()) return undefined;
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    // The one thing that throws here is a "%" that is none.
    return undefined;
  }
}

/** The pattern a person wrote, or what is wrong with it. */
export function parsePattern(text: string): PathPattern | { readonly fault: string } {
  if (/^https?:\/\//i.test(text)) return { fault: 'The rule is for a whole address. Write its path alone.' };
  if (!text.startsWith('/')) return { fault: 'The path does not start with "/".' };
  if (/[?#]/.test(text)) return { fault: 'The path has a "?" or "#".' };
  const segments = segmentsOf(text);
  if (!segments) return { fault: 'The path has a "%" that is not a valid UTF-8 escape.' };
  const open = segments.at(-1) === '*';
  const named = open ? segments.slice(0, -1) : segments;
  if (named.some((segment) => segment.includes('*')))
    return { fault: 'A "*" stands for everything that follows, and only at the end, after a "/".' };
  return { open, segments: named.map(segmentOf) };
}

function segmentOf(segment: string): PathPattern['segments'][number] {
  const name = PLACEHOLDER.exec(segment)?.[1];
  return name === undefined ? { literal: segment } : { name };
}

/** Equal for patterns with the same arrangement of literals, placeholders and "*". */
export function shapeOf({ open, segments }: PathPattern): string {
  return segments.map((segment) => ('name' in segment ? ':' : '/')).join('') + (open ? '*' : '');
}

/** What stands at the places of a pattern that fits, percent-encoded; what follows is called `splat`. */
export function captureParams({ open, segments }: PathPattern, path: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  segments.forEach((segment, index) => {
    if ('name' in segment) values.set(segment.name, encodeURIComponent(path[index] ?? ''));
  });
  if (open) values.set('splat', path.slice(segments.length).map(encodeURIComponent).join('/'));
  return values;
}
