/** A path with placeholders for one segment, such as `/blog/:slug`, or with a "*" for any number of segments. */
export interface PathPattern {
  readonly segments: readonly ({ readonly literal: string } | { readonly name: string })[];
  /** Whether the pattern ends with a "*", so that more segments may follow. */
  readonly open: boolean;
}

const PLACEHOLDER = /^:([a-z_]\w*)$/i;

/**
 * Splits a percent-encoded path into decoded segments; a "/" at its end is ignored.
 * @returns undefined when the path cannot be decoded.
 */
export function segmentsOf(path: string): readonly string[] | undefined {
  if (!path.startsWith('/') || !path.isWellFormed()) return undefined;
  const segments = path.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    // Only an invalid "%" escape throws here.
    return undefined;
  }
}

/** @returns the parsed pattern, or the reason for rejecting it. */
export function parsePattern(text: string): PathPattern | { readonly fault: string } {
  if (/^https?:\/\//i.test(text)) return { fault: 'The rule is for a full URL. Write only its path.' };
  if (!text.startsWith('/')) return { fault: 'The path does not start with "/".' };
  if (/[?#]/.test(text)) return { fault: 'The path has a "?" or "#".' };
  const segments = segmentsOf(text);
  if (!segments) return { fault: 'The path has a "%" that is not a valid UTF-8 escape.' };
  const open = segments.at(-1) === '*';
  const named = open ? segments.slice(0, -1) : segments;
  if (named.some((segment) => segment.includes('*')))
    return { fault: 'A "*" is allowed only at the end, after a "/". It stands for everything that follows.' };
  return { open, segments: named.map(segmentOf) };
}

function segmentOf(segment: string): PathPattern['segments'][number] {
  const name = PLACEHOLDER.exec(segment)?.[1];
  return name === undefined ? { literal: segment } : { name };
}

/** @returns a key that is equal for patterns with the same arrangement of literals, placeholders and "*". */
export function shapeOf({ open, segments }: PathPattern): string {
  return segments.map((segment) => ('name' in segment ? ':' : '/')).join('') + (open ? '*' : '');
}

/** The values of the placeholders of a matching pattern, percent-encoded; the value of "*" is called `splat`. */
export function captureParams({ open, segments }: PathPattern, path: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  segments.forEach((segment, index) => {
    if ('name' in segment) values.set(segment.name, encodeURIComponent(path[index] ?? ''));
  });
  if (open) values.set('splat', path.slice(segments.length).map(encodeURIComponent).join('/'));
  return values;
}
