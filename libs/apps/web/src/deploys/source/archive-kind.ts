/** Media types of the archives that the API unpacks. */
export type ArchiveType = 'application/zip' | 'application/gzip';

/** A supported archive type, a damaged or unsupported archive; undefined when the file is not an archive. */
export type ArchiveKind = ArchiveType | 'damaged' | 'foreign' | undefined;

/** Number of leading bytes that identify an archive. */
export const SIGNATURE_BYTES = 4;

const SUPPORTED = /\.(zip|tgz|tar\.gz)$/i;
const UNSUPPORTED = /\.(tar|rar|7z|gz|(t|tar\.)?(bz2|xz|zst)|tbz)$/i;

/** Classifies a file by its name and first bytes; the bytes decide between ZIP and gzip. */
export function archiveKind(name: string, head: Uint8Array): ArchiveKind {
  const type = typeOf(head);
  if (SUPPORTED.test(name)) return type ?? 'damaged';
  if (UNSUPPORTED.test(name)) return 'foreign';
  // A file without an extension is classified by its bytes alone.
  return name.includes('.') ? undefined : type;
}

function typeOf([first, second, third, fourth]: Uint8Array): ArchiveType | undefined {
  if (first === 0x1f && second === 0x8b) return 'application/gzip';
  const isZip = first === 0x50 && second === 0x4b;
  const hasEntries = third === 0x03 && fourth === 0x04;
  const isEmpty = third === 0x05 && fourth === 0x06;
  return isZip && (hasEntries || isEmpty) ? 'application/zip' : undefined;
}
