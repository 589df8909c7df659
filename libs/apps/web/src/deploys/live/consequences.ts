import type { DeployDetails } from '@homeport/apps/contracts';
import { exactTime } from '@homeport/platform/web';
import { lacksStartPage, numberOf } from '../deploy-messages';

type ActivatedDeploy = Pick<DeployDetails, 'number' | 'created_at' | 'created_by' | 'problems'>;

/**
 * What happens when a deploy becomes live, by activation or rollback.
 * @param deploy with its problems: a missing start page is part of the question.
 * @param hasLive whether another deploy is live.
 */
export function consequences(deploy: ActivatedDeploy, hasLive: boolean): string {
  const warning = lacksStartPage(deploy.problems)
    ? $localize`There is no index.html, so people who open the app see “Not found”.`
    : '';
  return [outcome(deploy, hasLive), warning].filter(Boolean).join(' ');
}

function outcome(deploy: ActivatedDeploy, hasLive: boolean): string {
  const time = exactTime(new Date(deploy.created_at));
  return hasLive
    ? $localize`${numberOf(deploy)}:number: of ${time}:time: by ${deploy.created_by}:author: goes live immediately. The current deploy stays in the list.`
    : $localize`${numberOf(deploy)}:number: of ${time}:time: by ${deploy.created_by}:author: goes live immediately.`;
}
