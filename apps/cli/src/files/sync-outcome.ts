import { ApiProblem } from '@homeport/api-client';
import type { PlannedSync } from './sync-plan';

/** A side of the synchronization changed after the comparison. */
export class ChangedMeanwhile extends Error {}

type Outcome = Pick<PlannedSync, 'action' | 'reason'>;

const CHANGED: Outcome = { action: 'conflict', reason: 'it changed during the synchronization' };
const BLOCKED: Outcome = { action: 'conflict', reason: 'a file and a folder have this name' };
/** Statuses of a file that the server does not accept. */
const REJECTED = [400, 413, 415, 422];
/** Errors of the file system that concern one file, by their code. */
const FILE_ERRORS: Readonly<Record<string, Outcome>> = {
  ENOENT: CHANGED,
  EEXIST: BLOCKED,
  ENOTDIR: BLOCKED,
  EISDIR: BLOCKED,
  ENOTEMPTY: BLOCKED,
  EACCES: { action: 'failed', reason: 'this machine permits no access to it' },
  ENAMETOOLONG: { action: 'failed', reason: 'the name is too long for this machine' },
};

/** @returns the outcome for the one file that an error concerns; undefined for an error that concerns all files. */
export function outcomeOfError(error: unknown): Outcome | undefined {
  if (error instanceof ChangedMeanwhile) return CHANGED;
  if (error instanceof ApiProblem) return outcomeOfProblem(error);
  // A blob of a file that changed cannot be read.
  if (causesOf(error).some(({ name }) => name === 'NotReadableError')) return CHANGED;
  return FILE_ERRORS[(error as NodeJS.ErrnoException).code ?? ''];
}

function outcomeOfProblem({ status, code, detail }: ApiProblem): Outcome | undefined {
  if (status === 412 || code === 'files.digest-mismatch') return CHANGED;
  return REJECTED.includes(status) ? { action: 'failed', reason: detail } : undefined;
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
