import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import { RequestTooSlow } from '@homeport/platform/server';
import { ArchiveRejected } from './archive.errors';
import { isStorageFailure } from '../blobs/blobs.errors';
import { DeployTimeout, UploadBrokenOff } from './deploys.errors';

export interface DeployFailure {
  readonly failure: DeployError;
  readonly problems: readonly DeployProblem[];
}

/** Nobody is to blame but us, or nobody knows what has happened. */
export const INTERRUPTED: DeployError = {
  code: 'interrupted',
  message: 'The upload was interrupted on our side. Upload it again.',
};

/** What is written down of an upload that came to nothing. */
export function failureOf(error: unknown): DeployFailure {
  if (error instanceof ArchiveRejected) {
    const problems = error.fields.map(({ field, reason }) => ({ path: field, line: null, reason }));
    return { failure: { code: 'rejected', message: error.message }, problems };
  }
  if (error instanceof DeployTimeout) return without({ code: 'interrupted', message: error.message });
  if (error instanceof UploadBrokenOff || error instanceof RequestTooSlow)
    return without({ code: 'aborted', message: error.message });
  if (isStorageFailure(error)) return without({ code: 'storage', message: error.message });
  return without(INTERRUPTED);
}

function without(failure: DeployError): DeployFailure {
  return { failure, problems: [] };
}
