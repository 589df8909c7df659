import type { App, DnsStatus } from '@homeport/apps/contracts';
import { formatNumber, type IconName, translateServerText } from '@homeport/platform/web';

export interface DnsStatusLabel {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad';
}

/** A DNS status as a drawing and words: color alone says nothing. */
export function dnsStatusLabel(status: DnsStatus): DnsStatusLabel {
  switch (status) {
    case 'dns-active':
      return { words: $localize`Active`, icon: 'check-circle', tone: 'ok' };
    case 'dns-pending':
      return { words: $localize`Pending`, icon: 'clock', tone: 'warn' };
    case 'dns-failed':
      return { words: $localize`DNS failed`, icon: 'alert', tone: 'bad' };
  }
}

/** What the state of the record means to the person who registered the app. */
export function dnsStatusMessage({ dns_status: status, dns_error: error }: App): string {
  switch (status) {
    case 'dns-active':
      return $localize`The record is in place: people can reach this address.`;
    case 'dns-pending':
      return $localize`The record is on its way. It can take a minute until everybody sees it.`;
    case 'dns-failed':
      return error ? translateServerText(error.message) : $localize`The DNS record could not be made.`;
  }
}

/** How often it was tried so far. */
export function attemptsMessage(attempts: number): string {
  return attempts === 1 ? $localize`Tried once.` : $localize`Tried ${formatNumber(attempts)}:count: times.`;
}

/** Whether the state changes without anybody doing anything here. */
export function isDnsInProgress({ dns_status: status, dns_error: error }: App): boolean {
  return status === 'dns-pending' || (status === 'dns-failed' && error?.retryable === true);
}
