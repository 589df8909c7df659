import { describe, expect, it } from '@jest/globals';
import { ListingCursors } from './listing-cursors';

describe('ListingCursors', () => {
  const cursors = new ListingCursors([Buffer.alloc(32, 1)]);
  const cursor = cursors.seal('token', 'u/ada/\n');

  it('opens a cursor that it sealed', () => {
    expect(cursors.open(cursor, 'u/ada/\n')).toBe('token');
  });

  it('opens a cursor on another instance with the same key', () => {
    expect(new ListingCursors([Buffer.alloc(32, 1)]).open(cursor, 'u/ada/\n')).toBe('token');
  });

  it.each([
    ['a cursor of another user’s listing', cursor, 'u/bob/\n'],
    ['a cursor with another delimiter', cursor, 'u/ada/\n/'],
    ['an altered beginning', cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), 'u/ada/\n'],
    ['an altered end', `${cursor.slice(0, -8)}AAAAAAAA`, 'u/ada/\n'],
    ['an appended suffix', `${cursor}.x`, 'u/ada/\n'],
    ['another encoding of the same bytes', `${cursor}=`, 'u/ada/\n'],
    ['an empty cursor', '', 'u/ada/\n'],
    ['an invalid cursor', 'a.b', 'u/ada/\n'],
  ])('rejects %s', (_what, text, scope) => {
    expect(cursors.open(text, scope)).toBeUndefined();
  });

  it('hides the token, and seals the same token to the same cursor', () => {
    const other = cursors.seal('token', 'u/bob/\n');
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('token');
    expect(cursors.seal('token', 'u/ada/\n')).toBe(cursor);
    expect(other).not.toBe(cursor);
  });

  it('opens cursors of older keys, and seals with the newest', () => {
    const [older, newer] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const rotated = new ListingCursors([newer, older]);
    expect(rotated.open(cursor, 'u/ada/\n')).toBe('token');
    expect(new ListingCursors([newer]).open(rotated.seal('token', 'u/ada/\n'), 'u/ada/\n')).toBe('token');
  });

  it('rejects a cursor sealed with another key', () => {
    expect(new ListingCursors([Buffer.alloc(32, 2)]).open(cursor, 'u/ada/\n')).toBeUndefined();
  });
});
