import { createTimedCall, type TimeoutErrorFactory } from '@homeport/platform/server';
import { StorageTimeout } from '../../domain/files.errors';

export const storageTimeout: TimeoutErrorFactory = (options) => new StorageTimeout(options);

/** Asks storage something it has a limited time to answer. @throws {StorageTimeout} */
export const withTimeout = createTimedCall(storageTimeout);
