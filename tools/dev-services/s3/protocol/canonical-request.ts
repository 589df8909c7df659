import { header } from './headers.ts';
import type { RequestHeaders } from './headers.ts';
import type { Target } from './target.ts';

export interface CanonicalParts {
  readonly method: string;
  readonly target: Pick<Target, 'rawPath' | 'query'>;
  readonly headers: RequestHeaders;
  /** Semicolon-separated names, as in the signature. */
  readonly signedHeaders: string;
  readonly payloadHash: string;
}

/** Builds the text that client and server hash, per Signature Version 4 for S3 (paths are encoded once). */
export function canonicalRequest({ method, target, headers, signedHeaders, payloadHash }: CanonicalParts): string {
  let headerLines = '';
  for (const name of signedHeaders.split(';')) {
    headerLines += `${name}:${(header(headers, name) ?? '').trim().replace(/\s+/g, ' ')}\n`;
  }
  const path = canonicalPath(target.rawPath);
  return `${method}\n${path}\n${canonicalQuery(target)}\n${headerLines}\n${signedHeaders}\n${payloadHash}`;
}

/** Keeps the client's escapes; escapes characters that some clients send unescaped, as the specification requires. */
function canonicalPath(rawPath: string): string {
  return rawPath.replace(/[^A-Za-z0-9\-._~/%]/g, uriEncode);
}

function canonicalQuery({ query }: Pick<Target, 'query'>): string {
  if (query.entries.length === 0) return '';
  return query.entries
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [uriEncode(name), uriEncode(value)] as const)
    .sort(([nameA, valueA], [nameB, valueB]) => compare(nameA, nameB) || compare(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Percent-encodes everything but the unreserved characters of RFC 3986. */
export function uriEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
