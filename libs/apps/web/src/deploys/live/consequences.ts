import type { Deploy } from '@homeport/apps/contracts';
import { exactTime } from '@homeport/platform/web';
import { numberOf } from '../deploy-messages';

/** What happens when a deploy becomes live, by activation or rollback. @param hasLive whether another deploy is live. */
export function consequences(deploy: Pick<Deploy, 'number' | 'created_at' | 'created_by'>, hasLive: boolean): string {
  const time = exactTime(new Date(deploy.created_at));
  return hasLive
    ? $localize`${numberOf(deploy)}:number: of ${time}:time: by ${deploy.created_by}:author: goes live immediately. The current deploy stays in the list.`
    : $localize`${numberOf(deploy)}:number: of ${time}:time: by ${deploy.created_by}:author: goes live immediately.`;
}
