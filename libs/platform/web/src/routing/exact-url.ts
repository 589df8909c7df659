/**
 * Encodes a URL so that the router reads every path segment as plain text. The router treats `(`, `)` and `;` as syntax
 * and throws on an invalid `%`, also in the query and the fragment; file names may contain all of them.
 *
 * @param url path, query and fragment, as the browser shows them.
 */
export function exactUrl(url: string): string {
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  const rest = end === -1 ? '' : url.slice(end);
  return (
    path
      .replace(/\/{2,}/g, '/')
      .split('/')
      .map(exactSegment)
      .join('/') + escapeInvalidPercents(rest)
  );
}

/** Escapes each `%` that does not start a valid escape, so that the text can be decoded. */
export function escapeInvalidPercents(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => encodeURIComponent(decoded(escapes)));
}

function exactSegment(segment: string): string {
  const text = decodeURIComponent(escapeInvalidPercents(segment));
  return encodeURIComponent(text).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}

/** Decodes escapes; invalid ones stay unchanged. */
function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
