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

  it('aborts when storage accepts no bytes for the whole limit', () => {
    const upload = new UploadAbortController(emptyBody(), never, late);
    upload.paused();
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
    expect(upload.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(upload.signal.reason).toBeInstanceOf(Late);
    expect(upload.reason).toBe(upload.signal.reason);
  });

  it('does not abort while storage accepts bytes or none are available', () => {
    const upload = new UploadAbortController(emptyBody(), never, late);
    for (let chunks = 0; chunks < 3; chunks += 1) {
      upload.paused();
      jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
      upload.paused();
      jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
      upload.resumed();
      jest.advanceTimersByTime(10 * WRITE_TIMEOUT_MS);
    }
    expect(upload.signal.aborted).toBe(false);
    expect(upload.reason).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('aborts with the error of the body', async () => {
    const body = emptyBody();
    const upload = new UploadAbortController(body, never, late);
    const failure = new Error('broken');
    body.destroy(failure);
    await new Promise((resolve) => body.once('close', resolve));
    expect(upload.signal.reason).toBe(failure);
    expect(upload.reason).toBe(failure);
  });

  it('aborts without a reason when the client disconnects', () => {
    const disconnect = new AbortController();
    const upload = new UploadAbortController(Buffer.from('x'), disconnect.signal, late);
    disconnect.abort();
    expect(upload.signal.aborted).toBe(true);
    expect(upload.reason).toBeUndefined();
  });
});
