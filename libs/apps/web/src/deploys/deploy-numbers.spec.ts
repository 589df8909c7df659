import type { Deploy } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import { deployNumbers, numberMessage } from './deploy-numbers';

const deploy = (id: string, ready_at: string | null): Deploy => ({ id, ready_at }) as unknown as Deploy;
const LIST = [
  deploy('running', null),
  deploy('c', '2026-03-03T00:00:00.000Z'),
  // Began before `a`, and was ready after it.
  deploy('a', '2026-03-01T00:00:00.000Z'),
  deploy('failed', null),
  deploy('b', '2026-03-02T00:00:00.000Z'),
];

describe('deployNumbers', () => {
  it('numbers the deploys that became ready, the oldest one first', () => {
    expect([...deployNumbers(LIST, 3)]).toEqual([
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
  });

  it.each([2, 4])('knows no numbers when the API counts %i deploys', (counted) => {
    expect(deployNumbers(LIST, counted).size).toBe(0);
  });
});

it('writes a number', () => {
  expect([numberMessage(4), numberMessage(undefined)]).toEqual(['#4', '']);
});
