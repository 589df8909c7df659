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
  let upkeep: StorageMaintenance;
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
    upkeep = new StorageMaintenance(objects);
  });

  afterEach(() => {
    upkeep.onApplicationShutdown();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('tells the operator what the storage cannot do', async () => {
    checkCompatibility.mockResolvedValue(['takes no tags', 'is slow']);
    await upkeep.onApplicationBootstrap();
    expect(warn.mock.calls).toEqual([['The storage takes no tags.'], ['The storage is slow.']]);
  });

  it('keeps the product from starting on a storage that is not safe, and tidies nothing there', async () => {
    checkCompatibility.mockRejectedValue(new StorageIncompatible('ignores conditions'));
    await expect(upkeep.onApplicationBootstrap()).rejects.toBeInstanceOf(StorageIncompatible);
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(abortIncompleteUploads).not.toHaveBeenCalled();
  });

  it('starts without a storage that does not answer, says so, and goes on tidying up', async () => {
    checkCompatibility.mockRejectedValue(new StorageUnavailable());
    await upkeep.onApplicationBootstrap();
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('could not be examined'));
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('takes back what is a day old, at once and every hour until the end', async () => {
    await upkeep.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    const yesterday = NOW - 24 * HOUR_MS;
    expect(abortIncompleteUploads.mock.calls).toEqual([[new Date(yesterday)], [new Date(yesterday + HOUR_MS)]]);
    upkeep.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('says what it took back, and nothing when there was nothing', async () => {
    await upkeep.onApplicationBootstrap();
    expect(log).not.toHaveBeenCalled();
    abortIncompleteUploads.mockResolvedValue(3);
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(log.mock.calls).toEqual([['3 uploads that never came to an end were taken back.']]);
  });

  it('tries again in an hour what failed', async () => {
    abortIncompleteUploads.mockRejectedValueOnce(new StorageUnavailable());
    await upkeep.onApplicationBootstrap();
    await jest.advanceTimersByTimeAsync(HOUR_MS);
    expect(warn.mock.calls).toEqual([[expect.stringContaining('could not be taken back')]]);
    expect(abortIncompleteUploads).toHaveBeenCalledTimes(2);
  });

  it('keeps no process alive', async () => {
    const setInterval = jest.spyOn(globalThis, 'setInterval');
    await upkeep.onApplicationBootstrap();
    const [timer] = setInterval.mock.results;
    expect((timer?.value as NodeJS.Timeout).hasRef()).toBe(false);
  });
});
