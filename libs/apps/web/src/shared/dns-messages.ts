import type { App, DnsStatus } from '@homeport/apps/contracts';
import { formatNumber, type IconName, translateServerText } from '@homeport/platform/web';

export interface DnsStatusLabel {
  readonly words: string;
  readonly icon: IconName;
  readonly tone: 'ok' | 'warn' | 'bad';
}

/** A DNS status as icon and text: color alone is not accessible. */
export function dnsStatusLabel(status: DnsStatus): DnsStatusLabel {
  switch (status) {
    case 'dns-active':
      return { words: $localize`DNS active`, icon: 'check-circle', tone: 'ok' };
    case 'dns-pending':
      return { words: $localize`DNS pending`, icon: 'clock', tone: 'warn' };
    case 'dns-failed':
      return { words: $localize`DNS failed`, icon: 'alert', tone: 'bad' };
  }
}

/** Explains the DNS status to the user who registered the app. */
export function dnsStatusMessage({ dns_status: status, dns_error: error, active_deploy_id: active }: App): string {
  switch (status) {
    case 'dns-active':
      return active === null
        ? $localize`The record is in place. Deploy a site, and people can open it at this address.`
        : $localize`The record is in place: people can reach this address.`;
    case 'dns-pending':
      return $localize`The record is being created. It can take a minute until everyone can reach the address.`;
    case 'dns-failed':
      return error ? translateServerText(error.message) : $localize`The DNS record could not be created.`;
  }
}

export function attemptsMessage(attempts: number): string {
  return attempts === 1 ? $localize`Tried once.` : $localize`Tried ${formatNumber(attempts)}:count: times.`;
}

/** Whether the status changes without user action. */
export function isDnsInProgress({ dns_status: status, dns_error: error }: App): boolean {
  return status === 'dns-pending' || (status === 'dns-failed' && error?.retryable === true);
}
