import type { DeployError, DeployProblem } from '@homeport/apps/contracts';
import { RequestTooSlow } from '@homeport/kernel/node';
import { ArchiveRejected } from '../domain/archive.errors';
import { isStorageFailure } from '@homeport/platform/server/blobs';
import { DeploysUnavailable, DeployTimeout, UploadAborted } from '../domain/deploys.errors';
import { NoServer, StartFailed, UnsupportedServerBuild } from '../../server-detection/domain/server-detection.errors';

export interface DeployFailure {
  readonly error: DeployError;
  readonly problems: readonly DeployProblem[];
}

/** The server caused the failure, or the cause is unknown. */
export const INTERRUPTED: DeployError = {
  code: 'interrupted',
  message: 'The upload was interrupted on our side. Upload it again.',
};

/** The client started the deploy by digest, and sent no further request for an hour. */
export const UNFINISHED: DeployError = {
  code: 'aborted',
  message: 'The upload was not finished within an hour of its last request. Upload it again.',
};

/** The failure that is stored with a failed deploy. */
export function deployFailureOf(error: unknown): DeployFailure {
  if (error instanceof ArchiveRejected) {
    const problems = error.fields.map(({ field, reason }) => ({ path: field, line: null, reason }));
    return { error: { code: 'rejected', message: error.message }, problems };
  }
  if (error instanceof NoServer) return withoutProblems({ code: 'no-server', message: error.message });
  if (error instanceof UnsupportedServerBuild) {
    const problems = error.fields.map(({ field, reason }) => ({ path: field, line: null, reason }));
    return { error: { code: 'unsupported-server', message: error.message }, problems };
  }
  if (error instanceof StartFailed)
    return withoutProblems({ code: 'start-failed', message: error.message, log: error.log });
  if (error instanceof DeployTimeout || error instanceof DeploysUnavailable)
    return withoutProblems({ code: 'interrupted', message: error.message });
  if (error instanceof UploadAborted || error instanceof RequestTooSlow)
    return withoutProblems({ code: 'aborted', message: error.message });
  if (isStorageFailure(error)) return withoutProblems({ code: 'storage', message: error.message });
  return withoutProblems(INTERRUPTED);
}

function withoutProblems(error: DeployError): DeployFailure {
  return { error, problems: [] };
}
