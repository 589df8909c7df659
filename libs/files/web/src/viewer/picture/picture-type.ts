const PICTURES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

/** The MIME type of a supported picture, by file extension first; undefined for other files. */
export function pictureType(name: string, contentType: string): string | undefined {
  const extension = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(PICTURES, extension)) return PICTURES[extension];
  const type = contentType.split(';')[0]?.trim().toLowerCase();
  return Object.values(PICTURES).find((each) => each === type);
}
