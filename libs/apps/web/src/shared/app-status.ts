import type { App } from '@homeport/apps/contracts';
import type { IconName, StatusTone } from '@homeport/platform/web';

/** The state of an app for people, as icon and text. */
export interface AppStatus {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: StatusTone;
}

/** What people who open the address of an app meet. */
export function appStatus({
  active_deploy_id: active,
  active_deploy: deploy,
  dns_status: dns,
  runtime,
}: Pick<App, 'active_deploy_id' | 'active_deploy' | 'dns_status' | 'runtime'>): AppStatus {
  if (dns === 'dns-failed') return { words: $localize`DNS failed`, icon: 'alert', tone: 'bad' };
  if (active === null) return { words: $localize`No deploy`, icon: 'circle', tone: 'quiet' };
  if (runtime?.state === 'crash-loop') return { words: $localize`:server|:Crash loop`, icon: 'alert', tone: 'bad' };
  if (deploy?.has_start_page === false) return { words: $localize`No start page`, icon: 'alert', tone: 'warn' };
  if (dns === 'dns-pending') return { words: $localize`DNS pending`, icon: 'clock', tone: 'busy' };
  return { words: $localize`Live`, icon: 'check-circle', tone: 'ok' };
}
