import type { AppType, DnsError, DnsStatus } from '@homeport/apps/contracts';
import { EntitySchema } from 'typeorm';

/** One row of `apps.apps`. */
export interface AppRow {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly subdomain: string;
  readonly type: AppType;
  readonly deployCount: number;
  readonly activeDeployId: string | null;
  readonly dnsStatus: DnsStatus;
  readonly dnsError: DnsError | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}

export const AppEntity = new EntitySchema<AppRow>({
  name: 'App',
  schema: 'apps',
  tableName: 'apps',
  columns: {
    id: { type: 'uuid', primary: true, generated: 'uuid' },
    organization: { type: 'text' },
    name: { type: 'text' },
    subdomain: { type: 'text' },
    type: { type: 'text' },
    deployCount: { name: 'deploy_count', type: 'integer', default: 0 },
    activeDeployId: { name: 'active_deploy_id', type: 'uuid', nullable: true },
    dnsStatus: { name: 'dns_status', type: 'text', default: 'dns-pending' },
    dnsError: { name: 'dns_error', type: 'jsonb', nullable: true },
    createdBy: { name: 'created_by', type: 'text' },
    createdAt: { name: 'created_at', type: 'timestamptz', createDate: true },
  },
});

/** One row of `apps.dangling_subdomains`. */
export interface DanglingSubdomainRow {
  readonly subdomain: string;
  readonly organization: string;
}

export const DanglingSubdomainEntity = new EntitySchema<DanglingSubdomainRow>({
  name: 'DanglingSubdomain',
  schema: 'apps',
  tableName: 'dangling_subdomains',
  columns: {
    subdomain: { type: 'text', primary: true },
    organization: { type: 'text' },
  },
});
