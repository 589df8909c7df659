import mime from 'mime';

const FALLBACK = 'application/octet-stream';
const TEXT =
  /^(text\/|application\/(javascript|json|xml|manifest\+json|ld\+json|rss\+xml|atom\+xml)$|image\/svg\+xml$)/;

/** The media type of a file, derived from its name alone: archives contain no media types. */
export function deployContentType(path: string): string {
  const type = mime.getType(path) ?? FALLBACK;
  return TEXT.test(type) ? `${type}; charset=utf-8` : type;
}
