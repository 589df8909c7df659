import { MAX_PATH_BYTES } from './site-path';
import { isRuleFile } from './site-rules';

/** What a request asks of a site, by its path. */
export interface RequestPath {
  /** Decoded, without the slashes at the ends; undefined where no file can be, such as at `/a//b`. */
  readonly path: string | undefined;
  /** Whether it ends with a slash, as the address of a folder does. */
  readonly isFolder: boolean;
}

const INDEX = 'index.html';

/**
 * Reads the path of a raw request target: split on `/`, each segment percent-decoded exactly once.
 * @param rawPath as it stood on the wire, without the query.
 * @returns undefined for what no browser sends: bad escapes, control characters, climbing paths, encoded slashes.
 */
export function parseRequestPath(rawPath: string): RequestPath | undefined {
  if (!rawPath.startsWith('/')) return undefined;
  const segments = rawPath.slice(1).split('/').map(decodeSegment);
  if (!segments.every((segment) => segment !== undefined)) return undefined;
  const isFolder = segments.at(-1) === '';
  const names = isFolder ? segments.slice(0, -1) : segments;
  const path = names.join('/').normalize('NFC');
  const isPossible = !names.includes('') && Buffer.byteLength(path) <= MAX_PATH_BYTES;
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

/** The files that may answer, best first: the file itself, the page of that name, the page of that folder. */
export function candidateFiles({ path, isFolder }: RequestPath): readonly string[] {
  if (path === undefined || isRuleFile(path)) return [];
  if (path === '') return [INDEX];
  return isFolder ? [indexPageOf(path), `${path}.html`] : [path, `${path}.html`, indexPageOf(path)];
}

/** The page of a folder. */
export function indexPageOf(path: string): string {
  return path === '' ? INDEX : `${path}/${INDEX}`;
}

/** A path as it stands in an address: every segment percent-encoded. It begins with one slash. */
export function encodePath(path: string): string {
  return `/${path.split('/').map(encodeURIComponent).join('/')}`;
}
