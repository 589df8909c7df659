import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { StorageFailed } from '../../domain/files.errors';
import { parseObjectRead } from './s3-responses';

const HEADERS = { etag: '"v1"', 'last-modified': 'Sun, 22 Nov 2026 00:00:00 GMT', 'content-length': '4' };
const answerOf = (statusCode: number, more: Record<string, string> = {}) => ({
  statusCode,
  headers: { ...HEADERS, ...more },
  body: Readable.from(['1234']),
});
const PART = { 'content-range': 'bytes 2-5/9' };

describe('parseObjectRead', () => {
  it('answers the whole object, or the part that was asked for', () => {
    expect(parseObjectRead(answerOf(200), { ifMatch: '"v1"' })).toMatchObject({ size: 4, length: 4, etag: '"v1"' });
    const part = parseObjectRead(answerOf(206, PART), { range: 'bytes=2-5' });
    expect(part).toMatchObject({ size: 9, length: 4, contentRange: 'bytes 2-5/9' });
  });

  it.each([
    ['another version', answerOf(200), { ifMatch: '"v2"' }],
    ['a part instead of the whole', answerOf(206, PART), {}],
    ['a range of another length', answerOf(206, { 'content-range': 'bytes 2-6/9' }), { range: 'bytes=2-5' }],
    ['a range beyond the end', answerOf(206, { 'content-range': 'bytes 2-5/5' }), { range: 'bytes=2-5' }],
    ['a range that cannot be read', answerOf(206, { 'content-range': 'bytes */9' }), { range: 'bytes=2-5' }],
    ['an empty entity tag', answerOf(200, { etag: '' }), {}],
    ['no time', answerOf(200, { 'last-modified': '' }), {}],
  ])('rejects %s, and releases the connection', (_what, answer, conditions) => {
    expect(() => parseObjectRead(answer, conditions)).toThrow(StorageFailed);
    expect(answer.body.destroyed).toBe(true);
  });
});
