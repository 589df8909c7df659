import type { IconName } from '../ui/icon/icon-paths';
import type { ActivityState } from './activities';

/** The label of a state: text and icon, because color alone is not accessible. */
export interface ActivityStateLabel {
  readonly word: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad' | '';
}

export function activityStateLabel(state: ActivityState): ActivityStateLabel {
  const words: Readonly<Record<ActivityState, ActivityStateLabel>> = {
    running: { word: $localize`In progress`, icon: 'clock', tone: '' },
    waiting: { word: $localize`Waiting`, icon: 'clock', tone: 'warn' },
    attention: { word: $localize`Needs attention`, icon: 'alert', tone: 'warn' },
    done: { word: $localize`Done`, icon: 'check-circle', tone: 'ok' },
    failed: { word: $localize`Failed`, icon: 'alert', tone: 'bad' },
    cancelled: { word: $localize`Cancelled`, icon: 'close', tone: '' },
  };
  return words[state];
}
