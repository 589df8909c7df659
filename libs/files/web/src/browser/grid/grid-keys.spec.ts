import { describe, expect, it } from '@jest/globals';
import { rowAfterKey, TypeAhead } from './grid-keys';

it.each([
  ['ArrowDown', 3, 4],
  ['ArrowDown', 9, 9],
  ['ArrowUp', 0, 0],
  ['PageDown', 3, 8],
  ['PageUp', 3, 0],
  ['Home', 5, 0],
  ['End', 5, 9],
  ['x', 5, undefined],
])('%s in row %i moves to %s', (key, at, to) => {
  expect(rowAfterKey(key, at, { rows: 10, page: 5 })).toBe(to);
});

describe('TypeAhead', () => {
  const names = ['Alpha', 'beta', 'Beton', 'gamma'].map((name) => ({ name }));

  it('finds the next name that begins with a letter, and starts again at the top', () => {
    const typing = new TypeAhead();
    expect(typing.find('b', names, 0, 0)).toBe(1);
    expect(typing.find('b', names, 1, 2_000)).toBe(2);
    expect(typing.find('b', names, 2, 4_000)).toBe(1);
  });

  it('combines letters typed in quick succession', () => {
    const typing = new TypeAhead();
    expect(typing.find('b', names, 0, 0)).toBe(1);
    expect(typing.find('e', names, 1, 100)).toBe(1);
    expect(typing.find('t', names, 1, 200)).toBe(1);
    expect(typing.find('o', names, 1, 300)).toBe(2);
    expect(typing.find('x', names, 2, 400)).toBeUndefined();
  });
});
