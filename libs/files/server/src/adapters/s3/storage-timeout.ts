import { createTimedCall, type TimeoutErrorFactory } from '@homeport/platform/server';
import { StorageTimeout } from '../../domain/files.errors';

export const storageTimeout: TimeoutErrorFactory = (options) => new StorageTimeout(options);

/** Runs a storage call with a timeout. @throws {StorageTimeout} */
export const withTimeout = createTimedCall(storageTimeout);
