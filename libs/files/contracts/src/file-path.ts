/** Maximum lengths of a path and of one segment, in UTF-8 bytes after NFC normalization. */
export const MAX_PATH_BYTES = 1024;
export const MAX_SEGMENT_BYTES = 255;

/** Why a path is rejected. Shown to the caller. */
export type FilePathFault =
  | 'The path is empty.'
  | 'The path has an empty segment.'
  | 'The path has a "." or ".." segment.'
  | 'The path has a backslash.'
  | 'The path has a control character.'
  | 'The path has a "%" that is not a valid UTF-8 escape.'
  | 'The path has an encoded slash.'
  | 'The path is longer than 1,024 bytes.'
  | 'A segment of the path is longer than 255 bytes.';

export type ParsedFilePath = { readonly path: string } | { readonly fault: FilePathFault };

const utf8 = new TextEncoder();

/** Checks one decoded segment; undefined when it is valid. */
function segmentFault(segment: string): FilePathFault | undefined {
  if (segment === '') return 'The path has an empty segment.';
  if (segment === '.' || segment === '..') return 'The path has a "." or ".." segment.';
  if (segment.includes('\\')) return 'The path has a backslash.';
  if (/\p{Cc}/u.test(segment)) return 'The path has a control character.';
  if (segment.includes('/')) return 'The path has an encoded slash.';
  if (!segment.isWellFormed()) return 'The path has a "%" that is not a valid UTF-8 escape.';
  if (utf8.encode(segment).length > MAX_SEGMENT_BYTES) return 'A segment of the path is longer than 255 bytes.';
  return undefined;
}

/** Checks decoded segments and joins them into a path in NFC. */
export function filePathOf(segments: readonly string[]): ParsedFilePath {
  const normalized = segments.map((segment) => segment.normalize('NFC'));
  for (const segment of normalized) {
    const fault = segmentFault(segment);
    if (fault) return { fault };
  }
  const path = normalized.join('/');
  if (path === '') return { fault: 'The path is empty.' };
  if (utf8.encode(path).length > MAX_PATH_BYTES) return { fault: 'The path is longer than 1,024 bytes.' };
  return { path };
}

/**
 * Parses a path from a raw request target: splits it on `/` and percent-decodes each segment exactly once.
 * @param rawPath the undecoded part after `/api/files/`, without the query.
 */
export function parseRawFilePath(rawPath: string): ParsedFilePath {
  const segments: string[] = [];
  for (const raw of rawPath.split('/')) {
    let segment: string;
    try {
      segment = decodeURIComponent(raw);
    } catch {
      return { fault: 'The path has a "%" that is not a valid UTF-8 escape.' };
    }
    segments.push(segment);
  }
  return rawPath === '' ? { fault: 'The path is empty.' } : filePathOf(segments);
}

/**
 * Checks a listing prefix. The path rules apply, but a prefix may be empty, end with `/` or end inside a segment.
 * @param prefix the decoded query parameter.
 */
export function parseFilePrefix(prefix: string): ParsedFilePath {
  if (prefix === '') return { path: '' };
  const trailingSlash = prefix.endsWith('/');
  const parsed = filePathOf((trailingSlash ? prefix.slice(0, -1) : prefix).split('/'));
  if ('fault' in parsed || !trailingSlash) return parsed;
  if (utf8.encode(parsed.path).length >= MAX_PATH_BYTES) return { fault: 'The path is longer than 1,024 bytes.' };
  return { path: `${parsed.path}/` };
}

/** Encodes a path for a URL: percent-encodes every segment and keeps the slashes. */
export function encodeFilePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}
