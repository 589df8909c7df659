import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Readable } from 'node:stream';
import { WRITE_TIMEOUT_MS } from './storage-timeouts';
import { UploadAbortController } from './upload-abort-controller';

class Late extends Error {}
const late = () => new Late();
const never = new AbortController().signal;
const emptyBody = () => new Readable({ read: () => undefined });

describe('UploadAbortController', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });

  afterEach(() => {
    jest.useRealTimers();
  });

  it('gives up when storage takes nothing for the whole limit', () => {
    const watch = new UploadAbortController(emptyBody(), never, late);
    watch.paused();
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
    expect(watch.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(watch.signal.reason).toBeInstanceOf(Late);
    expect(watch.reason).toBe(watch.signal.reason);
  });

  it('never gives up while storage takes what there is, or nothing is there for it', () => {
    const watch = new UploadAbortController(emptyBody(), never, late);
    for (let chunks = 0; chunks < 3; chunks += 1) {
      watch.paused();
      jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
      watch.paused();
      jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
      watch.resumed();
      jest.advanceTimersByTime(10 * WRITE_TIMEOUT_MS);
    }
    expect(watch.signal.aborted).toBe(false);
    expect(watch.reason).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives up when the body fails, for that very reason', async () => {
    const body = emptyBody();
    const watch = new UploadAbortController(body, never, late);
    const failure = new Error('broken');
    body.destroy(failure);
    await new Promise((resolve) => body.once('close', resolve));
    expect(watch.signal.reason).toBe(failure);
    expect(watch.reason).toBe(failure);
  });

  it('goes when the client leaves, which is no reason of ours', () => {
    const leaving = new AbortController();
    const watch = new UploadAbortController(Buffer.from('x'), leaving.signal, late);
    leaving.abort();
    expect(watch.signal.aborted).toBe(true);
    expect(watch.reason).toBeUndefined();
  });
});
