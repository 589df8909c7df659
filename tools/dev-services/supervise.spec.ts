import { describe, expect, it } from '@jest/globals';
import type { Child } from './child-process.ts';
import { supervise } from './supervise.ts';

/** A program whose processes end when the test says so. */
class Program {
  readonly #ends: ((reason: Error) => void)[] = [];

  start(): Child {
    const pid = this.#ends.length + 1;
    const { promise: died, resolve } = Promise.withResolvers<Error>();
    this.#ends.push(resolve);
    return { name: 'program', pid, died, restart: () => this.start() } as Child;
  }

  async end(): Promise<void> {
    this.#ends.at(-1)?.(new Error(`process ${this.#ends.length} ended`));
    await new Promise(setImmediate);
  }
}

describe('supervise', () => {
  it('restarts a program that ends, and reports why', async () => {
    const program = new Program();
    const reasons: string[] = [];
    const child = supervise(program.start(), { onRestart: ({ message }) => reasons.push(message) });
    await program.end();
    expect([child.pid, reasons]).toEqual([2, ['process 1 ended']]);
  });

  it('gives up after five restarts within a minute', async () => {
    const program = new Program();
    let time = 0;
    const child = supervise(program.start(), { onRestart: () => undefined, now: () => time });
    for (let count = 0; count < 10; count += 1) {
      time += 15_000;
      await program.end();
    }
    expect(child.pid).toBe(11);
    for (let count = 0; count < 6; count += 1) await program.end();
    expect((await child.died).message).toMatch(/process 1\d ended/);
  });
});
