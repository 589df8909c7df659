import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import { ArchiveRejected } from './archive.errors';
import { BlobStorageFailed, BlobStorageTimeout, BlobStorageUnavailable, UploadBrokenOff } from './deploys.errors';

export interface DeployFailure {
  readonly failure: DeployError;
  readonly problems: readonly DeployProblem[];
}

/** What is written down of an upload that came to nothing. */
export function failureOf(error: unknown): DeployFailure {
  if (error instanceof ArchiveRejected) {
    const problems = error.fields.map(({ field, reason }) => ({ path: field, line: null, reason }));
    return { failure: { code: 'rejected', message: error.message }, problems };
  }
  if (error instanceof UploadBrokenOff) return without('aborted', error.message);
  if (isOfStorage(error)) return without('storage', error.message);
  return without('interrupted', 'The upload was interrupted on our side. Upload it again.');
}

function without(code: DeployError['code'], message: string): DeployFailure {
  return { failure: { code, message }, problems: [] };
}

function isOfStorage(error: unknown): error is Error {
  return [BlobStorageUnavailable, BlobStorageTimeout, BlobStorageFailed].some((kind) => error instanceof kind);
}
