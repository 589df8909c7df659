import { describe, expect, it } from '@jest/globals';
import { ListingCursors } from './listing-cursors';

describe('ListingCursors', () => {
  const cursors = new ListingCursors(Buffer.alloc(32, 1));
  const cursor = cursors.seal('token', 'u/ada/\n');

  it('opens what it sealed', () => {
    expect(cursors.open(cursor, 'u/ada/\n')).toBe('token');
  });

  it('opens it on another instance with the same key', () => {
    expect(new ListingCursors(Buffer.alloc(32, 1)).open(cursor, 'u/ada/\n')).toBe('token');
  });

  it.each([
    ['another person’s listing', cursor, 'u/bob/\n'],
    ['another delimiter', cursor, 'u/ada/\n/'],
    ['an altered beginning', cursor.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')), 'u/ada/\n'],
    ['an altered end', `${cursor.slice(0, -8)}AAAAAAAA`, 'u/ada/\n'],
    ['something appended', `${cursor}.x`, 'u/ada/\n'],
    ['another spelling', `${cursor}=`, 'u/ada/\n'],
    ['nothing', '', 'u/ada/\n'],
    ['nonsense', 'a.b', 'u/ada/\n'],
  ])('refuses %s', (_what, text, scope) => {
    expect(cursors.open(text, scope)).toBeUndefined();
  });

  it('shows nothing of what it seals, and seals the same alike', () => {
    const other = cursors.seal('token', 'u/bob/\n');
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('token');
    expect(cursors.seal('token', 'u/ada/\n')).toBe(cursor);
    expect(other).not.toBe(cursor);
  });

  it('refuses a cursor sealed with another key', () => {
    expect(new ListingCursors(Buffer.alloc(32, 2)).open(cursor, 'u/ada/\n')).toBeUndefined();
  });
});
