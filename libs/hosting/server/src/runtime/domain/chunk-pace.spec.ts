import { describe, expect, it } from '@jest/globals';
import { ChunkPace } from './chunk-pace';

describe('ChunkPace', () => {
  it('does not delay servers that send few chunks at once', () => {
    const pace = new ChunkPace(() => 0);
    for (let packet = 0; packet < 1_000; packet += 1) pace.received(64);
    expect(pace.delayMs).toBe(0);
  });

  it('lets small chunks take a fifth of the time, over all responses of a server', () => {
    let now = 1_000;
    const pace = new ChunkPace(() => now);
    pace.received(10_000);
    expect(pace.delayMs).toBeCloseTo(150);
    pace.received(10_000);
    expect(pace.delayMs).toBeCloseTo(300);
    now += 200;
    expect(pace.delayMs).toBeCloseTo(100);
    now += 200;
    expect(pace.delayMs).toBe(0);
  });
});
