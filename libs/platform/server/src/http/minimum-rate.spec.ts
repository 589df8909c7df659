import { beforeEach, describe, expect, it } from '@jest/globals';
import { MinimumRate, type RateClock, type RateFloor, RequestTooSlow } from './minimum-rate';

const FLOOR: RateFloor = { bytes: 1_000, windowMs: 10_000, graceMs: 5_000 };

class ManualClock implements RateClock {
  #time = 0;
  readonly #timers = new Set<{ readonly due: number; readonly run: () => void }>();

  now(): number {
    return this.#time;
  }

  schedule(run: () => void, delayMs: number): () => void {
    const timer = { due: this.#time + delayMs, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Time passes while the process is busy: timers run late. */
  stall(ms: number): void {
    this.#time += ms;
  }

  advance(ms: number): void {
    const end = this.#time + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ due }) => due <= end).sort((one, other) => one.due - other.due);
      if (!next) break;
      this.#timers.delete(next);
      this.#time = Math.max(this.#time, next.due);
      next.run();
    }
    this.#time = end;
  }
}

let clock: ManualClock;
let rate: MinimumRate;

beforeEach(() => {
  clock = new ManualClock();
  rate = new MinimumRate(FLOOR, clock);
});

/** Lets the sender take so long for so many bytes. */
function send(bytes: number, afterMs: number): void {
  rate.waiting();
  clock.advance(afterMs);
  rate.received(bytes);
}

/** Leaves a body open as a silent sender does. */
async function* silentAfter(...chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
  await new Promise<never>(() => undefined);
}

describe('MinimumRate', () => {
  it('ends a sender that sends nothing after the grace time and one window', () => {
    rate.waiting();
    clock.advance(14_999);
    expect(rate.signal.aborted).toBe(false);
    clock.advance(1);
    expect(rate.signal.reason).toBeInstanceOf(RequestTooSlow);
    expect(clock.timers).toBe(0);
  });

  it('ends a sender that sends one byte at a time', () => {
    for (let sent = 0; sent < 15; sent += 1) send(1, 1_000);
    expect(rate.signal.aborted).toBe(true);
  });

  it('lets a sender at the floor go on', () => {
    for (let second = 0; second < 600; second += 1) send(100, 1_000);
    expect(rate.signal.aborted).toBe(false);
  });

  it('judges each window alone: a fast start does not buy a slow rest', () => {
    send(100_000_000, 14_000);
    send(1, 1_000);
    expect(rate.signal.aborted).toBe(false);
    rate.waiting();
    clock.advance(10_000);
    expect(rate.signal.aborted).toBe(true);
  });

  it('does not count time in which the reader is busy', () => {
    for (let second = 0; second < 60; second += 1) {
      send(1, 10);
      clock.advance(60_000);
    }
    expect(rate.signal.aborted).toBe(false);
  });

  it('stops with its reader', () => {
    rate.waiting();
    rate.stop();
    expect(clock.timers).toBe(0);
    clock.advance(60_000);
    expect(rate.signal.aborted).toBe(false);
  });

  it('hands a body on', async () => {
    async function* body() {
      yield Buffer.from('one');
      yield Buffer.from('two');
    }
    const chunks: string[] = [];
    for await (const chunk of rate.enforce(body())) chunks.push(chunk.toString());
    expect(chunks).toEqual(['one', 'two']);
    expect(clock.timers).toBe(0);
  });

  it('fails the reader of a body that never goes on', async () => {
    const body = rate.enforce(silentAfter(Buffer.from('one')));
    expect((await body.next()).value).toEqual(Buffer.from('one'));
    const next = body.next();
    clock.advance(15_000);
    await expect(next).rejects.toBeInstanceOf(RequestTooSlow);
    expect(clock.timers).toBe(0);
  });

  it('leaves the source open when the late arrival of bytes gives the verdict', async () => {
    let isEnded = false;
    async function* body() {
      try {
        clock.stall(15_000);
        yield Buffer.from('one');
        yield Buffer.from('two');
      } finally {
        isEnded = true;
      }
    }
    await expect(rate.enforce(body()).next()).rejects.toBeInstanceOf(RequestTooSlow);
    expect(isEnded).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it('ends the source when the reader leaves', async () => {
    let isEnded = false;
    async function* body() {
      try {
        for (;;) yield Buffer.from('one');
      } finally {
        isEnded = true;
      }
    }
    for await (const chunk of rate.enforce(body())) if (chunk) break;
    expect(isEnded).toBe(true);
  });

  it('says what is expected, and closes the connection', () => {
    const error = new RequestTooSlow(FLOOR);
    expect(error.message).toContain('less than 1,000 bytes in 10 seconds');
    expect(error.headers).toEqual({ connection: 'close' });
  });
});
