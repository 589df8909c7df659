import { describe, expect, it } from '@jest/globals';
import { CrashLoop } from './crash-loop';

describe('CrashLoop', () => {
  let now = 0;
  const create = () => {
    now = 1_000_000;
    return new CrashLoop(() => now);
  };

  it('does not delay the start after two crashes', () => {
    const loop = create();
    loop.crashed(0);
    loop.crashed(0);
    expect([loop.isLooping, loop.delayMs]).toEqual([false, 0]);
  });

  it('delays the start after three crashes within a minute', () => {
    const loop = create();
    loop.crashed(0);
    now += 59_000;
    loop.crashed(0);
    now += 1_000;
    loop.crashed(0);
    expect([loop.isLooping, loop.delayMs]).toEqual([true, 1_000]);
    now += 1_000;
    expect([loop.isLooping, loop.delayMs]).toEqual([true, 0]);
  });

  it('does not count crashes that are more than a minute apart', () => {
    const loop = create();
    for (let crash = 0; crash < 6; crash += 1) {
      loop.crashed(0);
      now += 30_001;
    }
    expect(loop.isLooping).toBe(false);
  });

  it('doubles the delay with each crash up to a minute', () => {
    const loop = create();
    const delays = Array.from({ length: 10 }, () => {
      loop.crashed(0);
      const { delayMs } = loop;
      now += delayMs;
      return delayMs;
    });
    expect(delays).toEqual([0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  it('ends when an instance lives for a minute', () => {
    const loop = create();
    for (let crash = 0; crash < 3; crash += 1) loop.crashed(0);
    loop.survived(59_999);
    expect(loop.isLooping).toBe(true);
    loop.survived(60_000);
    expect(loop.isLooping).toBe(false);
    loop.crashed(70_000);
    expect([loop.isLooping, loop.delayMs]).toEqual([false, 0]);
  });
});
