import type { Config } from '../config';
import { type Check, type Finding, ok } from './check';
import { networkExplanation, unknownFailure } from './network-failures';

/** The webhook for notices of budgets. The check sends no notice: it asks the host, without the path. */
export function noticeChecks({ USAGE_NOTICES_URL }: Pick<Config, 'USAGE_NOTICES_URL'>): readonly Check[] {
  if (USAGE_NOTICES_URL === undefined) return [];
  const { origin, host } = new URL(USAGE_NOTICES_URL);
  const service = `The webhook for notices at ${host}`;
  return [
    {
      name: 'usage-notices',
      explain: (code) =>
        networkExplanation(code, service, 'USAGE_NOTICES_URL') ?? unknownFailure(code, service, 'USAGE_NOTICES_URL'),
      async run(signal): Promise<Finding> {
        const { body } = await fetch(origin, { method: 'HEAD', redirect: 'manual', signal });
        await body?.cancel();
        return ok(`${service} answers.`);
      },
    },
  ];
}
