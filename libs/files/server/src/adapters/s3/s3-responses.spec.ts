import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { StorageFailed } from '../../domain/files.errors';
import { parseObjectRead } from './s3-responses';

const HEADERS = { etag: '"v1"', 'last-modified': 'Sun, 22 Nov 2026 00:00:00 GMT', 'content-length': '4' };
const responseWith = (statusCode: number, more: Record<string, string> = {}) => ({
  statusCode,
  headers: { ...HEADERS, ...more },
  body: Readable.from(['1234']),
});
const PART = { 'content-range': 'bytes 2-5/9' };

describe('parseObjectRead', () => {
  it('returns the whole object or the requested range', () => {
    expect(parseObjectRead(responseWith(200), { ifMatch: '"v1"' })).toMatchObject({ size: 4, length: 4, etag: '"v1"' });
    const part = parseObjectRead(responseWith(206, PART), { range: 'bytes=2-5' });
    expect(part).toMatchObject({ size: 9, length: 4, contentRange: 'bytes 2-5/9' });
  });

  it.each([
    ['another version', responseWith(200), { ifMatch: '"v2"' }],
    ['a range instead of the whole object', responseWith(206, PART), {}],
    ['a range with another length', responseWith(206, { 'content-range': 'bytes 2-6/9' }), { range: 'bytes=2-5' }],
    ['a range beyond the end', responseWith(206, { 'content-range': 'bytes 2-5/5' }), { range: 'bytes=2-5' }],
    ['a malformed range', responseWith(206, { 'content-range': 'bytes */9' }), { range: 'bytes=2-5' }],
    ['an empty entity tag', responseWith(200, { etag: '' }), {}],
    ['no modification time', responseWith(200, { 'last-modified': '' }), {}],
  ])('rejects %s, and releases the connection', (_what, response, conditions) => {
    expect(() => parseObjectRead(response, conditions)).toThrow(StorageFailed);
    expect(response.body.destroyed).toBe(true);
  });
});
