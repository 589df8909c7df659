/**
 * A URL in which the router reads every path segment as the plain text it is. The router gives `(`, `)` and `;` a
 * meaning of their own and throws at a stray `%`; file names hold all of them, and people type such addresses.
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
      .join('/') + rest
  );
}

function exactSegment(segment: string): string {
  return encodeURIComponent(decoded(segment)).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}

/** The text of a segment; one with a stray `%` is the text itself. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
