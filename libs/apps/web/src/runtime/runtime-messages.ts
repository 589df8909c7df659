import type { InstanceState, RuntimeState } from '@homeport/apps/contracts';
import type { IconName, StatusTone } from '@homeport/platform/web';

/** The state of an app's servers as icon and text, with an explanation. */
export interface RuntimeStatus {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: StatusTone;
  readonly explanation: string;
}

export function runtimeStatus(state: RuntimeState): RuntimeStatus {
  switch (state) {
    case 'ready':
      return {
        ...{ words: $localize`:server|:Ready`, icon: 'check-circle', tone: 'ok' },
        explanation: $localize`The server answers visits.`,
      };
    case 'starting':
      return {
        ...{ words: $localize`:server|:Starting`, icon: 'clock', tone: 'busy' },
        explanation: $localize`The server starts. Visits wait until it answers.`,
      };
    case 'idle':
      return {
        ...{ words: $localize`:server|:Idle`, icon: 'moon', tone: 'quiet' },
        explanation: $localize`There were no visits for a while. The next visit wakes the server up.`,
      };
    case 'crash-loop':
      return {
        ...{ words: $localize`:server|:Crash loop`, icon: 'alert', tone: 'bad' },
        explanation: $localize`The server crashed several times. Homeport starts it again after growing pauses; visitors see an error page meanwhile.`,
      };
    case 'none':
      return {
        ...{ words: $localize`:server|:Not running`, icon: 'circle', tone: 'quiet' },
        explanation: $localize`No server of this app has run yet. A deploy starts it.`,
      };
  }
}

export function instanceLabel(state: InstanceState): string {
  switch (state) {
    case 'launching':
      return $localize`:server|:Starting`;
    case 'ready':
      return $localize`:server|:Ready`;
    case 'frozen':
      return $localize`:server|:Asleep`;
    case 'draining':
      return $localize`:server|:Finishing`;
    case 'stopped':
      return $localize`:server|:Stopped`;
    case 'crashed':
      return $localize`:server|:Crashed`;
  }
}
