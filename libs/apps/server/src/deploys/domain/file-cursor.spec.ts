import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '@homeport/kernel';
import { FileCursor } from './file-cursor';

describe('FileCursor', () => {
  it.each(['index.html', 'b/ü.html', '😀/a b+c', 'a'.repeat(1_000), '%00', '../x'])('reads back %j', (path) => {
    expect(FileCursor.decode(FileCursor.encode(path))).toBe(path);
  });

  it.each([
    ['empty', ''],
    ['not base64url', '!!'],
    ['padded', 'aW5kZXg='],
    ['with bits that carry nothing', 'YR'],
    ['not UTF-8', Buffer.from([0xff, 0x41]).toString('base64url')],
    ['half a surrogate pair', Buffer.from([0xed, 0xa0, 0x80]).toString('base64url')],
    ['with a NUL', Buffer.from('a\0b').toString('base64url')],
    ['longer than a path', Buffer.alloc(4_097, 'a').toString('base64url')],
  ])('rejects a cursor that is %s', (_what, cursor) => {
    expect(() => FileCursor.decode(cursor)).toThrow(InvalidRequest);
  });
});
