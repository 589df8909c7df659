import mime from 'mime';

const FALLBACK = 'application/octet-stream';
/** TypeScript files. Their extensions are registered for a video format. */
const TYPESCRIPT = /\.[cm]?tsx?$/i;
/** Types that a browser may show inline. All others are downloaded, so a stored page never runs in this origin. */
const INLINE = new Set([
  'text/plain',
  'text/markdown',
  'text/csv',
  'application/json',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
/** Without `*`: `*\/*` is a media range, not a type. Generated clients send the range from the API description. */
const TYPE_NAME = "[\\w!#$%&'+.^`|~-]+";
/** A media type with parameters. Adjacent parts share no characters, which prevents backtracking. */
const MEDIA_TYPE = new RegExp(
  `^${TYPE_NAME}/${TYPE_NAME}([ \\t]*;[ \\t]*${TOKEN}=("[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*"|${TOKEN}))*$`,
);
const MEDIA_TYPE_LENGTH = 255;

/** The media type to store with a file: the declared type if valid, otherwise derived from the extension. */
export function contentTypeFor(path: string, sent: string | undefined): string {
  if (sent !== undefined && sent.length <= MEDIA_TYPE_LENGTH && MEDIA_TYPE.test(sent)) return sent;
  return TYPESCRIPT.test(path) ? 'text/typescript' : (mime.getType(path) ?? FALLBACK);
}

/** The `Content-Disposition` of a read. @param forceDownload whether the caller asked for a download. */
export function contentDisposition(name: string, contentType: string, forceDownload: boolean): string {
  const essence = (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const kind = INLINE.has(essence) && !forceDownload ? 'inline' : 'attachment';
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
