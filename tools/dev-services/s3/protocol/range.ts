import { S3Error } from './errors.ts';

/** A byte range of an object, both ends inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a single range such as `bytes=0-4`, `bytes=15-` or `bytes=-3`. Multiple ranges and invalid syntax are ignored,
 * as HTTP requires. Throws InvalidRange when it is outside the object.
 * @returns undefined when the whole object must be sent.
 */
export function parseRange(value: string | undefined, size: number): ByteRange | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(value?.trim() ?? '');
  if (!match || (match[1] === '' && match[2] === '')) return undefined;
  const [, first = '', last = ''] = match;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (start > end) throw new S3Error('InvalidRange', undefined, { 'content-range': `bytes */${size}` });
  return { start, end };
}
