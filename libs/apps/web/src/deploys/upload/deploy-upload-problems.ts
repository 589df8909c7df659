import type { DeployDetails } from '@homeport/apps/contracts';
import { fileSize, HttpProblem, translateServerText } from '@homeport/platform/web';

const REJECTED = 422;
/** What is refused for what it is, and not for how things stand, is refused again. */
const NOT_RETRYABLE: readonly number[] = [400, 413, 415, REJECTED];

/** What went wrong on this device, before anything was sent. */
function clientProblem(code: string, title: string, detail: string): HttpProblem {
  return new HttpProblem({ kind: 'refused', status: REJECTED, code: `client.${code}`, title, detail });
}

/** A file that was there when it was picked, and is not now. */
export function unreadableFile(name: string): HttpProblem {
  const detail = $localize`${name}:file: was changed, moved or deleted since it was chosen. Choose again.`;
  return clientProblem('deploy-unreadable', $localize`A file could not be read`, detail);
}

/** @param mostBytes that can be sent. */
export function packedTooLarge(mostBytes: number): HttpProblem {
  const detail = $localize`Packed, the files have more than ${fileSize(mostBytes)}:most:, which is the most that can be sent.`;
  return clientProblem('deploy-too-large', $localize`The deploy is too large`, detail);
}

/** Everything was sent, and then nobody answered any more. */
export function unknownOutcome(): HttpProblem {
  const detail = $localize`The connection was lost after everything had been sent. Look at the history before sending it again.`;
  const title = $localize`Whether the deploy arrived is not known`;
  return new HttpProblem({ kind: 'unreachable', status: 0, code: 'client.deploy-unknown', title, detail });
}

/** What the record of a deploy says that came to nothing. */
export function failedDeploy({ error, problems }: DeployDetails): HttpProblem {
  return new HttpProblem({
    kind: 'refused',
    status: error?.code === 'rejected' ? REJECTED : 503,
    code: `apps.deploy-${error?.code ?? 'failed'}`,
    title: $localize`The deploy failed`,
    detail: error ? translateServerText(error.message) : $localize`The server gave no reason.`,
    errors: problems.map(({ path, reason }) => ({ field: path, reason })),
  });
}

/** Whether sending the same again can help. */
export function isRetryable(problem: HttpProblem | undefined): boolean {
  return problem !== undefined && !NOT_RETRYABLE.includes(problem.status);
}
