import type { Deploy } from '@homeport/apps/contracts';
import { exactTime } from '@homeport/platform/web';

/** What happens when a deploy becomes live, by activation or rollback. @param hasLive whether another deploy is live. */
export function consequences(
  { created_at, created_by }: Pick<Deploy, 'created_at' | 'created_by'>,
  hasLive: boolean,
): string {
  const time = exactTime(new Date(created_at));
  return hasLive
    ? $localize`The deploy of ${time}:time: by ${created_by}:author: goes live immediately. The current one stays in the history.`
    : $localize`The deploy of ${time}:time: by ${created_by}:author: goes live immediately.`;
}
