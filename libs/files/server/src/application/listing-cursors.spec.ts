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
    ['an altered token', cursor.replace(/^./, 'A'), 'u/ada/\n'],
    ['an altered signature', `${cursor.slice(0, -2)}AA`, 'u/ada/\n'],
    ['something appended', `${cursor}.x`, 'u/ada/\n'],
    ['nothing', '', 'u/ada/\n'],
    ['nonsense', 'a.b', 'u/ada/\n'],
  ])('refuses %s', (_what, text, scope) => {
    expect(cursors.open(text, scope)).toBeUndefined();
  });

  it('refuses a cursor sealed with another key', () => {
    expect(new ListingCursors(Buffer.alloc(32, 2)).open(cursor, 'u/ada/\n')).toBeUndefined();
  });
});
