import mime from 'mime';

const FALLBACK = 'application/octet-stream';
const TEXT =
  /^(text\/|application\/(javascript|json|xml|manifest\+json|ld\+json|rss\+xml|atom\+xml)$|image\/svg\+xml$)/;
/** Images, audio, video and archives are compressed already. */
const COMPRESSIBLE =
  /^(text\/|application\/(javascript|json|xml|wasm|pdf|vnd\.ms-fontobject|[\w.-]+\+(json|xml))|image\/(svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)|font\/(ttf|otf|collection))/;

/** The media type of a file, derived from its name alone: archives contain no media types. */
export function deployContentType(path: string): string {
  const type = mime.getType(path) ?? FALLBACK;
  return TEXT.test(type) ? `${type}; charset=utf-8` : type;
}

/** Whether storing compressed variants of a file is worthwhile. */
export function isCompressible(contentType: string): boolean {
  return COMPRESSIBLE.test(contentType);
}
