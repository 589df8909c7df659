import type { App } from '@homeport/apps/contracts';
import type { IconName } from '@homeport/platform/web';

export interface LiveHeadline {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad' | 'quiet';
}

/** The headline of the live deploy: green when people can open the app. The page reports trouble with DNS above it. */
export function liveHeadline(
  { dns_status: dns, runtime }: Pick<App, 'dns_status' | 'runtime'>,
  isBroken: boolean,
): LiveHeadline {
  if (isBroken) return { words: $localize`Live without a start page`, icon: 'alert', tone: 'warn' };
  if (runtime?.state === 'crash-loop')
    return { words: $localize`Live, but its server crashes`, icon: 'alert', tone: 'bad' };
  if (dns !== 'dns-active') return { words: $localize`Current deploy`, icon: 'check-circle', tone: 'quiet' };
  return { words: $localize`Live now`, icon: 'check-circle', tone: 'ok' };
}
