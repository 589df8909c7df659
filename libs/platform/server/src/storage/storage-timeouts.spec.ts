import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RESPONSE_TIMEOUT_MS, createTimedCall } from './storage-timeouts';

class Late extends Error {
  override readonly name = 'Late';
}
const timedCall = createTimedCall((options) => new Late('storage is late', options));

/** A call that never responds. Like the SDK, it rejects with a separate error when aborted. */
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

  it.each([undefined, 10])('rejects with the timeout error after a limit of %s', async (limitMs) => {
    let signal: AbortSignal | undefined;
    const result = timedCall((given) => silent((signal = given)), undefined, limitMs);
    jest.advanceTimersByTime((limitMs ?? RESPONSE_TIMEOUT_MS) - 1);
    expect(signal?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    await expect(result).rejects.toMatchObject({ name: 'Late', cause: new Error('aborted') });
  });

  it('passes on results and errors', async () => {
    await expect(timedCall(() => Promise.resolve('answer'))).resolves.toBe('answer');
    await expect(timedCall(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  });

  it('aborts without the timeout error when the caller disconnects', async () => {
    const disconnect = new AbortController();
    const result = timedCall(silent, disconnect.signal);
    disconnect.abort();
    await expect(result).rejects.toThrow('aborted');
  });

  it('enforces the limit also with a signal of the caller', async () => {
    const result = timedCall(silent, new AbortController().signal, 10);
    jest.advanceTimersByTime(10);
    await expect(result).rejects.toBeInstanceOf(Late);
  });
});
