/** The media types of the archives that the API unpacks. */
export type ArchiveType = 'application/zip' | 'application/gzip';

/** A file is an archive, a broken or foreign one, or none at all. */
export type ArchiveKind = ArchiveType | 'damaged' | 'foreign' | undefined;

/** How many of the first bytes of a file tell what it is. */
export const SIGNATURE_BYTES = 4;

const SUPPORTED = /\.(zip|tgz|tar\.gz)$/i;
const UNSUPPORTED = /\.(tar|rar|7z|gz|(t|tar\.)?(bz2|xz|zst)|tbz)$/i;

/** What a file is, by its name and its first bytes; which of the two kinds an archive is, the bytes say. */
export function archiveKind(name: string, head: Uint8Array): ArchiveKind {
  const type = typeOf(head);
  if (SUPPORTED.test(name)) return type ?? 'damaged';
  if (UNSUPPORTED.test(name)) return 'foreign';
  // Without an extension there are only the bytes to go by.
  return name.includes('.') ? undefined : type;
}

function typeOf([first, second, third, fourth]: Uint8Array): ArchiveType | undefined {
  if (first === 0x1f && second === 0x8b) return 'application/gzip';
  const isZip = first === 0x50 && second === 0x4b;
  const begins = third === 0x03 && fourth === 0x04;
  const isEmpty = third === 0x05 && fourth === 0x06;
  return isZip && (begins || isEmpty) ? 'application/zip' : undefined;
}
