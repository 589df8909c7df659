import { isRuleFile } from './site-rules';
import { bytesOf, MAX_PATH_BYTES } from './site-path';

/** The parsed path of a request to a site. */
export interface RequestPath {
  /** Decoded, without leading and trailing slashes; undefined for a path that no file can have, such as `/a//b`. */
  readonly path: string | undefined;
  /** Whether the path ends with a slash, as the URL of a folder does. */
  readonly isFolder: boolean;
}

const INDEX = 'index.html';

/**
 * Parses the path of a request target: splits it at `/` and percent-decodes each segment exactly once.
 * @param rawPath as received, without the query.
 * @returns undefined for invalid escapes, control characters, `..` segments and encoded slashes. Browsers send none.
 */
export function parseRequestPath(rawPath: string): RequestPath | undefined {
  if (!rawPath.startsWith('/')) return undefined;
  const segments = rawPath.slice(1).split('/').map(decodeSegment);
  if (!segments.every((segment) => segment !== undefined)) return undefined;
  const isFolder = segments.at(-1) === '';
  const names = isFolder ? segments.slice(0, -1) : segments;
  const path = names.join('/').normalize('NFC');
  const isPossible = !names.includes('') && bytesOf(path) <= MAX_PATH_BYTES;
  return { path: isPossible ? path : undefined, isFolder };
}

function decodeSegment(raw: string): string | undefined {
  const segment = raw.includes('%') ? decodeEscapes(raw) : raw;
  if (segment === undefined || segment === '.' || segment === '..') return undefined;
  return /[\p{Cc}/\\]/u.test(segment) || !segment.isWellFormed() ? undefined : segment;
}

function decodeEscapes(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** The files that may be served, best first: the file itself, the page of that name, the page of that folder. */
export function candidateFiles({ path, isFolder }: RequestPath): readonly string[] {
  if (path === undefined || isRuleFile(path)) return [];
  if (path === '') return [INDEX];
  return isFolder ? [indexPageOf(path), `${path}.html`] : [path, `${path}.html`, indexPageOf(path)];
}

/** The index page of a folder. */
export function indexPageOf(path: string): string {
  return path === '' ? INDEX : `${path}/${INDEX}`;
}

/** A path for use in a URL: each segment is percent-encoded, and the result begins with one slash. */
export function encodePath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`;
}
