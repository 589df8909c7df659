import { describe, expect, it } from '@jest/globals';
import { Turnstile } from './turnstile';

const settled = () => new Promise(setImmediate);

describe('Turnstile', () => {
  it('lets so many in at a time, first come, first served', async () => {
    const turnstile = new Turnstile(2);
    const inside: number[] = [];
    const ends: (() => void)[] = [];
    const visits = [0, 1, 2, 3].map((visitor) =>
      turnstile.pass(() => {
        inside.push(visitor);
        return new Promise<void>((end) => (ends[visitor] = end));
      }),
    );
    await settled();
    expect(inside).toEqual([0, 1]);
    ends[1]?.();
    await settled();
    expect(inside).toEqual([0, 1, 2]);
    ends[0]?.();
    await settled();
    ends[2]?.();
    ends[3]?.();
    await Promise.all(visits);
    expect(await turnstile.pass(async () => 'free again')).toBe('free again');
  });

  it('lets whoever is in a hurry go ahead', async () => {
    const turnstile = new Turnstile(1);
    const order: string[] = [];
    const visit = (name: string, isHurried: boolean) => turnstile.pass(async () => void order.push(name), isHurried);
    await Promise.all([visit('first', false), visit('second', false), visit('hurried', true), visit('third', false)]);
    expect(order).toEqual(['first', 'hurried', 'second', 'third']);
  });

  it('goes on after work that fails', async () => {
    const turnstile = new Turnstile(1);
    await expect(turnstile.pass(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await turnstile.pass(async () => 1)).toBe(1);
  });

  it('sends away whoever waits, and nobody who is inside', async () => {
    const turnstile = new Turnstile(1);
    let end: () => void = () => undefined;
    const inside = turnstile.pass(() => new Promise<void>((resolve) => (end = resolve)));
    const waiting = turnstile.pass(async () => 'never');
    turnstile.clear(new Error('closed'));
    await expect(waiting).rejects.toThrow('closed');
    end();
    await inside;
    expect(await turnstile.pass(async () => 'open')).toBe('open');
  });
});
