import type { ByteRange } from '@homeport/platform/server/blobs';

/**
 * Parses a `Range` header field.
 * @param size of the file, in bytes.
 * @returns undefined to send the whole file: several ranges and malformed fields are ignored; `unsatisfiable` when the
 * range starts after the end.
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
