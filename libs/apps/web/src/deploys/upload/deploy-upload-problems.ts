import type { DeployDetails } from '@homeport/apps/contracts';
import { fileSize, HttpProblem, translateServerText } from '@homeport/platform/web';

const REJECTED = 422;
/** The server of the deploy did not start. The errors of the problem are the last lines of its log. */
export const START_FAILED = 'apps.start-failed';
/** Failures that depend on the files. */
const FINAL_FAILURES: readonly string[] = ['rejected', 'no-server', 'unsupported-server', 'start-failed'];
/** Statuses that depend only on the request: the same request would be rejected again. */
const NOT_RETRYABLE: readonly number[] = [400, 413, 415, REJECTED];

/** A problem found on this device before the upload. */
function clientProblem(code: string, title: string, detail: string): HttpProblem {
  return new HttpProblem({ kind: 'refused', status: REJECTED, code: `client.${code}`, title, detail });
}

/** A file that was readable when it was picked and no longer is. */
export function unreadableFile(name: string): HttpProblem {
  const detail = $localize`${name}:file: was changed, moved or deleted since it was chosen. Choose again.`;
  return clientProblem('deploy-unreadable', $localize`A file could not be read`, detail);
}

/** @param mostBytes the largest archive that the server accepts, in bytes. */
export function packedTooLarge(mostBytes: number): HttpProblem {
  const detail = $localize`The packed files are larger than ${fileSize(mostBytes)}:most:, the limit for an upload.`;
  return clientProblem('deploy-too-large', $localize`The deploy is too large`, detail);
}

/** Everything was sent, but no response arrived. */
export function unknownOutcome(): HttpProblem {
  const detail = $localize`The connection was lost after everything had been sent. Check the history before you upload again.`;
  const title = $localize`Could not check whether the deploy arrived`;
  return new HttpProblem({ kind: 'unreachable', status: 0, code: 'client.deploy-unknown', title, detail });
}

/** The problem that the record of a failed deploy describes. */
export function failedDeploy({ error, problems }: DeployDetails): HttpProblem {
  return new HttpProblem({
    kind: 'refused',
    status: FINAL_FAILURES.includes(error?.code ?? '') ? REJECTED : 503,
    code: error?.code === 'start-failed' ? START_FAILED : `apps.deploy-${error?.code ?? 'failed'}`,
    title: $localize`The deploy failed`,
    detail: error ? translateServerText(error.message) : $localize`The server gave no reason.`,
    errors: error?.log
      ? error.log.map((line) => ({ field: 'log', reason: line }))
      : problems.map(({ path, reason }) => ({ field: path, reason })),
  });
}

/** Whether no usable response arrived, so the outcome is unknown. */
export function isOutcomeUnknown({ kind }: HttpProblem): boolean {
  return kind !== 'refused';
}

/** Whether sending the same request again can succeed. */
export function isRetryable(problem: HttpProblem | undefined): boolean {
  return problem !== undefined && !NOT_RETRYABLE.includes(problem.status);
}
