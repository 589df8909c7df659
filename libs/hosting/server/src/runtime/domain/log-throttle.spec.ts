import { describe, expect, it } from '@jest/globals';
import { LogThrottle } from './log-throttle';

describe('LogThrottle', () => {
  let now = 0;
  const create = (lineBytes = 100) => new LogThrottle({ bytesPerSecond: 1_000, lineBytes, now: () => now });

  it('admits lines within the limit unchanged', () => {
    expect(create().admit('Größe: 3')).toBe('Größe: 3');
  });

  it('shortens a long line without cutting a character', () => {
    expect(create(5).admit('abcdöf')).toBe('abcd');
  });

  it('drops lines beyond the limit, counts them, and admits lines again later', () => {
    const throttle = create();
    const line = 'x'.repeat(99);
    const admitted = Array.from({ length: 15 }, () => throttle.admit(line)).filter((each) => each !== undefined);
    expect(admitted).toHaveLength(10);
    expect([throttle.takeDropped(), throttle.takeDropped()]).toEqual([5, 0]);
    now += 100;
    expect([throttle.admit(line), throttle.admit(line)]).toEqual([line, undefined]);
  });

  it('counts empty lines, which are rows as well', () => {
    const throttle = create();
    for (let line = 0; line < 40; line += 1) throttle.admit('');
    expect(throttle.takeDropped()).toBe(9);
  });
});
