import { PassThrough, Transform } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { type RateClock, RequestTooSlow } from '@homeport/kernel/node';
import { UploadRateMonitor } from './upload-rate-monitor';

const KIB = 1024;

/** A clock that a test advances. */
class ScriptedRateClock implements RateClock {
  #now = 0;
  readonly #planned = new Set<{ readonly at: number; readonly run: () => void }>();

  now(): number {
    return this.#now;
  }

  schedule(run: () => void, delayMs: number): () => void {
    const planned = { at: this.#now + delayMs, run };
    this.#planned.add(planned);
    return () => this.#planned.delete(planned);
  }

  pass(seconds: number): void {
    const until = this.#now + seconds * 1_000;
    for (;;) {
      const [next] = [...this.#planned].filter(({ at }) => at <= until).toSorted((one, other) => one.at - other.at);
      if (!next) break;
      this.#planned.delete(next);
      this.#now = next.at;
      next.run();
    }
    this.#now = until;
  }
}

const turns = async () => {
  for (let i = 0; i < 5; i += 1) await new Promise(setImmediate);
};

function watched() {
  const clock = new ScriptedRateClock();
  const sender = new UploadRateMonitor(clock);
  const body = new PassThrough({ highWaterMark: 16 * 1024 * KIB });
  return { clock, sender, body };
}

describe('UploadRateMonitor', () => {
  it('aborts an upload whose client sends a few bytes at a time', async () => {
    const { clock, sender, body } = watched();
    sender.watch(body);
    body.write(Buffer.alloc(8 * 1024 * KIB));
    await turns();
    for (let i = 0; i < 10 && !sender.signal.aborted; i += 1) {
      clock.pass(8);
      body.write('x');
      await turns();
    }
    expect(sender.signal.reason).toBeInstanceOf(RequestTooSlow);
    expect(clock.now()).toBeLessThanOrEqual(64_000);
  });

  it('reports a client below 256 KiB/s as slow, without aborting it', async () => {
    const { clock, sender, body } = watched();
    let slowEvents = 0;
    sender.onSlow(() => (slowEvents += 1));
    sender.watch(body);
    for (let seconds = 0; seconds < 60; seconds += 5) {
      body.write(Buffer.alloc(100 * 5 * KIB));
      await turns();
      clock.pass(5);
    }
    expect([sender.isSlow, slowEvents, sender.signal.aborted]).toEqual([true, 1, false]);
    body.end();
    await turns();
    expect(sender.isSlow).toBe(false);
  });

  it('no longer reports a client as slow when it becomes faster', async () => {
    const { clock, sender, body } = watched();
    sender.watch(body);
    body.write('x');
    await turns();
    clock.pass(10);
    expect(sender.isSlow).toBe(true);
    for (let seconds = 0; seconds < 10; seconds += 1) {
      body.write(Buffer.alloc(1024 * KIB));
      await turns();
      clock.pass(1);
    }
    expect([sender.isSlow, sender.signal.aborted]).toEqual([false, false]);
  });

  it('does not report a client with 300 KiB/s as slow', async () => {
    const { clock, sender, body } = watched();
    sender.watch(body);
    for (let seconds = 0; seconds < 60; seconds += 1) {
      body.write(Buffer.alloc(300 * KIB));
      await turns();
      clock.pass(1);
    }
    expect([sender.isSlow, sender.signal.aborted]).toEqual([false, false]);
  });

  it('does not count time in which the server does not read', async () => {
    const { clock, sender, body } = watched();
    let proceed: () => void = () => undefined;
    const sink = new Transform({
      highWaterMark: 1,
      transform: (_chunk, _encoding, done) => {
        proceed = done;
      },
    });
    body.pipe(sink);
    sender.watch(body, sink);
    body.write(Buffer.alloc(KIB));
    await turns();
    clock.pass(600);
    expect(sender.signal.aborted).toBe(false);
    proceed();
    await turns();
    clock.pass(60);
    expect(sender.signal.aborted).toBe(true);
  });

  it('keeps the reason of an abort', () => {
    const { sender } = watched();
    const reason = new Error('others need its memory');
    sender.abort(reason);
    expect(sender.signal.reason).toBe(reason);
  });
});
