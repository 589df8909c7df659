import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { untilAbortedEach } from './until-aborted';

const REASON = new Error('too late');

async function* count(to: number): AsyncGenerator<number> {
  for (let i = 1; i <= to; i += 1) yield await Promise.resolve(i);
}

const never: AsyncIterable<number> = {
  [Symbol.asyncIterator]: () => ({ next: () => new Promise<IteratorResult<number>>(() => undefined) }),
};

const listenersOf = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('untilAbortedEach', () => {
  it('yields all items and removes its listener', async () => {
    const { signal } = new AbortController();
    const items: number[] = [];
    for await (const item of untilAbortedEach(count(3), signal)) items.push(item);
    expect([items, listenersOf(signal)]).toEqual([[1, 2, 3], 0]);
  });

  it('rejects a pending item that never arrives', async () => {
    const controller = new AbortController();
    const next = untilAbortedEach(never, controller.signal).next();
    controller.abort(REASON);
    await expect(next).rejects.toBe(REASON);
  });

  it('rejects the next item when the signal aborted between two, or before the first', async () => {
    const controller = new AbortController();
    const items = untilAbortedEach(count(3), controller.signal);
    await items.next();
    controller.abort(REASON);
    await expect(items.next()).rejects.toBe(REASON);
    await expect(untilAbortedEach(never, AbortSignal.abort(REASON)).next()).rejects.toBe(REASON);
  });

  it('removes its listener when the reader stops early or the source fails', async () => {
    const { signal } = new AbortController();
    for await (const item of untilAbortedEach(count(3), signal)) if (item === 2) break;
    expect(listenersOf(signal)).toBe(0);
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(REASON) }) };
    await expect(untilAbortedEach(failing, signal).next()).rejects.toBe(REASON);
    expect(listenersOf(signal)).toBe(0);
  });
});
