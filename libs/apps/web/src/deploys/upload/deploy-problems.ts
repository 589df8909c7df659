import type { DeployDetails } from '@homeport/apps/contracts';
import { fileSize, HttpProblem, serverText } from '@homeport/platform/web';
import { DEPLOY_LIMITS } from '../choosing/deploy-limits';

/** What went wrong on this device, before anything was sent. */
function here(code: string, title: string, detail: string): HttpProblem {
  return new HttpProblem({ kind: 'unexpected', status: 0, code: `client.${code}`, title, detail });
}

/** A file that was there when it was picked, and is not now. */
export function unreadableFile(name: string): HttpProblem {
  const detail = $localize`${name}:file: was changed, moved or deleted since it was chosen. Choose again.`;
  return here('file-unreadable', $localize`A file could not be read`, detail);
}

export function packedTooLarge(): HttpProblem {
  const detail = $localize`Packed, the files have more than ${fileSize(DEPLOY_LIMITS.sent)}:most:, which is the most that can be sent.`;
  return here('deploy-too-large', $localize`The deploy is too large`, detail);
}

/** Everything was sent, and then nobody answered any more. */
export function unknownOutcome(): HttpProblem {
  const detail = $localize`The connection was lost after everything had been sent. Look at the history before sending it again.`;
  return here('deploy-unknown', $localize`Whether the deploy arrived is not known`, detail);
}

/** What the record of a deploy says that came to nothing. */
export function failedDeploy({ error, problems }: DeployDetails): HttpProblem {
  return new HttpProblem({
    kind: 'refused',
    status: 422,
    code: `apps.deploy-${error?.code ?? 'failed'}`,
    title: $localize`The deploy failed`,
    detail: error ? serverText(error.message) : $localize`The server gave no reason.`,
    errors: problems.map(({ path, reason }) => ({ field: path, reason })),
  });
}
