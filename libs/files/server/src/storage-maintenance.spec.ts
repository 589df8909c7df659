import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryObjectStore } from './adapters/memory/in-memory-object-store';
import type { ObjectStore } from './application/object-store.port';
import { StorageUnavailable, StorageIncompatible } from './domain/files.errors';
import { StorageMaintenance } from './storage-maintenance';

const HOUR_MS = 60 * 60 * 1_000;
const NOW = Date.UTC(2026, 0, 2);

describe('StorageMaintenance', () => {
  const objects: ObjectStore = new InMemoryObjectStore();
  let maintenance: StorageMaintenance;
  const checkCompatibility = jest.spyOn(objects, 'checkCompatibility');
  const abortIncompleteUploads = jest.spyOn(objects, 'abortIncompleteUploads');
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const log = jest.spyOn(Logger.prototype, 'log');

  beforeEach(() => {
    jest.useFakeTimers({ now: NOW });
    checkCompatibility.mockReset().mockResolvedValue([]);
    abortIncompleteUploads.mockReset().mockResolvedValue(0);
    warn.mockReset();
    log.mockReset();
    maintenance = new StorageMaintenance(objects);
  });

  afterEach(() => {
    maintenance.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('logs the limitations of the storage', async () => {
    checkCompatibility.mockResolvedValue(['takes no tags', 'is slow']);
    await maintenance.onApplicationBootstrap();
    expect(warn.mock.calls).toEqual([['The storage takes no tags.'], ['The storage is slow.']]);
  });

  it('prevents the start on an incompatible storage, and aborts no uploads there', async () => {
    checkCompatibility.mockRejectedValue(new StorageIncompatible('ignores conditions'));
    await expect(maintenance.onApplicationBootstrap()).rejects.toBeInstanceOf(StorageIncompatible);
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(abortIncompleteUploads).not.toHaveBeenCalled();
  });

  it('starts with a warning when storage does not respond, and still aborts incomplete uploads', async () => {
    checkCompatibility.mockRejectedValue(new StorageUnavailable());
    await maintenance.onApplicationBootstrap();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('could not be checked'));
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('aborts uploads older than a day, on startup and every hour until shutdown', async () => {
    await maintenance.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    const yesterday = NOW - 24 * HOUR_MS;
    expect(abortIncompleteUploads.mock.calls).toEqual([[new Date(yesterday)], [new Date(yesterday + HOUR_MS)]]);
    maintenance.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('logs how many uploads it aborted, and nothing when there were none', async () => {
    await maintenance.onApplicationBootstrap();
    expect(log).not.toHaveBeenCalled();
    abortIncompleteUploads.mockResolvedValue(3);
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(log.mock.calls).toEqual([['3 incomplete uploads were aborted.']]);
  });

  it('retries a failure after an hour', async () => {
    abortIncompleteUploads.mockRejectedValueOnce(new StorageUnavailable());
    await maintenance.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('could not be aborted')]]);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('does not keep the process alive', async () => {
    const setInterval = jest.spyOn(globalThis, 'setInterval');
    await maintenance.onApplicationBootstrap();
    const [timer] = setInterval.mock.results;
    expect((timer?.value as NodeJS.Timeout).hasRef()).toBe(false);
  });
});
