import type { ByteRange } from '../../application/blobs/blob-store.port';

/**
 * What of a file a header field `Range` asks for.
 * @param size of the file.
 * @returns undefined for all of it: several ranges and what is malformed are ignored; `unsatisfiable` when it is beyond.
 */
export function parseByteRange(range: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(range) ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}
