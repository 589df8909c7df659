import type { AppType } from '@homeport/apps/contracts';
import type { DnsState } from '../../dns/domain/dns-record';
import type { Subdomain } from '../../shared/domain/subdomain';

/** An app as it is read, with the state of its DNS record. Its URL follows from the subdomain and the configuration. */
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

/** The fields that a registration sets; the store sets the others. */
export type NewApp = Pick<AppRecord, 'name' | 'subdomain' | 'type'>;
