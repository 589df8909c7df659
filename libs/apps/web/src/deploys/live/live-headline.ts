import type { App } from '@homeport/apps/contracts';
import type { IconName } from '@homeport/platform/web';

export interface LiveHeadline {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad';
}

/** The headline of the live deploy. It is green only when people can open the app. */
export function liveHeadline({ dns_status: dns }: Pick<App, 'dns_status'>, isBroken: boolean): LiveHeadline {
  if (dns === 'dns-failed') return { words: $localize`Deployed, but DNS failed`, icon: 'alert', tone: 'bad' };
  if (isBroken) return { words: $localize`Live without a start page`, icon: 'alert', tone: 'warn' };
  if (dns === 'dns-pending') return { words: $localize`Deployed, DNS is pending`, icon: 'clock', tone: 'warn' };
  return { words: $localize`Live now`, icon: 'check-circle', tone: 'ok' };
}
