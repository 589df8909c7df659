import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RESPONSE_TIMEOUT_MS, createTimedCall } from './storage-timeouts';

class Late extends Error {
  override readonly name = 'Late';
}
const inTime = createTimedCall((options) => new Late('storage is late', options));

/** Storage that answers nothing; as the SDK does, it breaks off with an error of its own. */
const silent = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });

describe('createTimedCall', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it.each([undefined, 10])('says that storage was late after a limit of %s', async (limitMs) => {
    let signal: AbortSignal | undefined;
    const asked = inTime((given) => silent((signal = given)), undefined, limitMs);
    jest.advanceTimersByTime((limitMs ?? RESPONSE_TIMEOUT_MS) - 1);
    expect(signal?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    await expect(asked).rejects.toMatchObject({ name: 'Late', cause: new Error('aborted') });
  });

  it('hands on what storage answers', async () => {
    await expect(inTime(() => Promise.resolve('answer'))).resolves.toBe('answer');
    await expect(inTime(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('breaks off for whoever leaves, and does not call that late', async () => {
    const leaving = new AbortController();
    const asked = inTime(silent, leaving.signal);
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
  });

  it('keeps the limit although somebody could still leave', async () => {
    const asked = inTime(silent, new AbortController().signal, 10);
    jest.advanceTimersByTime(10);
    await expect(asked).rejects.toBeInstanceOf(Late);
  });
});
