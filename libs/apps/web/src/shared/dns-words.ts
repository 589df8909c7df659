import type { DnsStatus } from '@homeport/apps/contracts';
import type { IconName } from '@homeport/platform/web';

export interface StatusWords {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad';
}

/** A DNS status as a drawing and words: color alone says nothing. */
export const DNS_WORDS: Readonly<Record<DnsStatus, StatusWords>> = {
  'dns-active': { words: 'Active', icon: 'check-circle', tone: 'ok' },
  'dns-pending': { words: 'Pending', icon: 'clock', tone: 'warn' },
  'dns-failed': { words: 'DNS failed', icon: 'alert', tone: 'bad' },
};
