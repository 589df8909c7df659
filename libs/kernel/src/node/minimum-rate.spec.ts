import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { MinimumRate, type RateClock, type MinimumRateOptions, RequestTooSlow } from './minimum-rate';

const OPTIONS: MinimumRateOptions = { bytes: 1_000, windowMs: 10_000, graceMs: 5_000 };

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

  /** Advances the time without running timers, as in a busy process. */
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
  rate = new MinimumRate(OPTIONS, clock);
});

/** Simulates a sender that delivers `bytes` after `afterMs`. */
function send(bytes: number, afterMs: number): void {
  rate.waiting();
  clock.advance(afterMs);
  rate.received(bytes);
}

/** Yields the chunks and then never ends, like a silent sender. */
async function* silentAfter(...chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks;
  await new Promise<never>(() => undefined);
}

describe('MinimumRate', () => {
  it('aborts a silent sender after the grace time and one window', () => {
    rate.waiting();
    clock.advance(14_999);
    expect(rate.signal.aborted).toBe(false);
    clock.advance(1);
    expect(rate.signal.reason).toBeInstanceOf(RequestTooSlow);
    expect(clock.timers).toBe(0);
  });

  it('aborts a sender that sends single bytes', () => {
    for (let sent = 0; sent < 15; sent += 1) send(1, 1_000);
    expect(rate.signal.aborted).toBe(true);
  });

  it('accepts a sender at the minimum rate', () => {
    for (let second = 0; second < 600; second += 1) send(100, 1_000);
    expect(rate.signal.aborted).toBe(false);
  });

  it('checks each window separately: a fast start does not make up for a slow rest', () => {
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

  it('does not abort after stop()', () => {
    rate.waiting();
    rate.stop();
    expect(clock.timers).toBe(0);
    clock.advance(60_000);
    expect(rate.signal.aborted).toBe(false);
  });

  it('passes a body on', async () => {
    async function* body() {
      yield Buffer.from('one');
      yield Buffer.from('two');
    }
    const chunks: string[] = [];
    for await (const chunk of rate.enforce(body())) chunks.push(chunk.toString());
    expect(chunks).toEqual(['one', 'two']);
    expect(clock.timers).toBe(0);
  });

  it('rejects the read of a stalled body', async () => {
    const body = rate.enforce(silentAfter(Buffer.from('one')));
    expect((await body.next()).value).toEqual(Buffer.from('one'));
    const next = body.next();
    clock.advance(15_000);
    await expect(next).rejects.toBeInstanceOf(RequestTooSlow);
    expect(clock.timers).toBe(0);
  });

  it('leaves the source open when bytes arrive too late', async () => {
    let isClosed = false;
    async function* body() {
      try {
        clock.stall(15_000);
        yield Buffer.from('one');
        yield Buffer.from('two');
      } finally {
        isClosed = true;
      }
    }
    await expect(rate.enforce(body()).next()).rejects.toBeInstanceOf(RequestTooSlow);
    expect(isClosed).toBe(false);
    expect(clock.timers).toBe(0);
  });

  it('closes the source when the reader stops early', async () => {
    let isClosed = false;
    async function* body() {
      try {
        for (;;) yield Buffer.from('one');
      } finally {
        isClosed = true;
      }
    }
    for await (const chunk of rate.enforce(body())) if (chunk) break;
    expect(isClosed).toBe(true);
  });

  it('states the minimum rate and closes the connection', () => {
    const error = new RequestTooSlow(OPTIONS);
    expect(error.message).toContain('less than 1,000 bytes in 10 seconds');
    expect(error.headers).toEqual({ connection: 'close' });
  });
});

describe('the memory of an enforced body', () => {
  it('does not hold the chunks that were read', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const chunks: WeakRef<Buffer>[] = [];
    async function* body(): AsyncGenerator<Buffer> {
      for (let i = 0; i < 200; i += 1) {
        await setImmediate();
        const chunk = Buffer.alloc(64 * 1024);
        chunks.push(new WeakRef(chunk));
        yield chunk;
      }
    }
    let held = 0;
    for await (const chunk of new MinimumRate().enforce(body())) {
      if (chunks.length < 200 || chunk.length === 0) continue;
      await setImmediate();
      collectGarbage();
      held = chunks.filter((each) => each.deref() !== undefined).length;
    }
    expect(held).toBeLessThan(10);
  });
});
