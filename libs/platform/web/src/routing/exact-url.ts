/**
 * A URL in which the router reads every path segment as the plain text it is. The router gives `(`, `)` and `;` a
 * meaning of their own and throws at a stray `%`, in the query and the fragment too; file names hold all of them, and
 * people type such addresses.
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

/** A text that can be decoded: each `%` that begins no valid escape stands for itself. */
export function escapeInvalidPercents(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => encodeURIComponent(decoded(escapes)));
}

function exactSegment(segment: string): string {
  const text = decodeURIComponent(escapeInvalidPercents(segment));
  return encodeURIComponent(text).replace(/[()]/g, (sign) => (sign === '(' ? '%28' : '%29'));
}

/** The text of escapes; of no valid ones, they are the text themselves. */
function decoded(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes;
  }
}
