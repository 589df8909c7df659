import { inTimeOr, type LateError } from '@homeport/platform/server';
import { StorageTimeout } from '../../domain/files.errors';

export const late: LateError = (options) => new StorageTimeout(options);

/** Asks storage something it has a limited time to answer. @throws {StorageTimeout} */
export const inTime = inTimeOr(late);
