import type { AppType, DnsError, DnsStatus } from '@homeport/apps/contracts';
import type { Subdomain } from './subdomain';

/** An app as it is kept. Its address follows from the subdomain and the platform's configuration. */
export interface AppRecord {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly subdomain: Subdomain;
  readonly type: AppType;
  readonly deployCount: number;
  readonly activeDeployId: string | null;
  readonly dns: DnsState;
  readonly createdAt: Date;
  readonly createdBy: string;
}

export interface DnsState {
  readonly status: DnsStatus;
  readonly error?: DnsError;
}

/** What a registration brings in; the store gives the rest. */
export type NewApp = Pick<AppRecord, 'organization' | 'name' | 'subdomain' | 'type' | 'createdBy'>;
