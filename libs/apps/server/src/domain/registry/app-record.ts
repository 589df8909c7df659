import type { AppType } from '@homeport/apps/contracts';
import type { DnsState } from '../dns/dns-record';
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
}

/** What a registration brings in; the store gives the rest. */
export type NewApp = Pick<AppRecord, 'name' | 'subdomain' | 'type'>;
