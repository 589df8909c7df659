import type { AppRuntime, AppType, DomainKind } from '@homeport/apps/contracts';
import type { DeployRecord } from '../../deploys/domain/deploy-record';
import type { DnsState } from '../../dns/domain/dns-record';
import type { Subdomain } from '../../shared/domain/subdomain';

/** What an app shows of its active deploy. */
export interface ActiveDeployRecord extends Pick<DeployRecord, 'number' | 'createdAt' | 'createdBy' | 'problemCount'> {
  /** Whether `/` answers with a page or a redirect. */
  readonly hasStartPage: boolean;
}

/** An own domain that shows an app. */
export interface AppDomainRecord {
  readonly kind: DomainKind;
  readonly name: string;
  readonly isPrimary: boolean;
}

/** An app as it is read, with the state of its DNS record. Its URL follows from the subdomain and the configuration. */
export interface AppRecord {
  readonly id: string;
  readonly organization: string;
  readonly name: string;
  readonly subdomain: Subdomain;
  readonly type: AppType;
  readonly deployCount: number;
  readonly activeDeployId: string | null;
  readonly activeDeploy: ActiveDeployRecord | undefined;
  readonly dns: DnsState;
  /** The verified own domains that lead here, base domains of the organization included. */
  readonly domains: readonly AppDomainRecord[];
  /** What the servers of an SSR app do; absent for a static app, and when it was not read. */
  readonly runtime?: AppRuntime;
  readonly createdAt: Date;
}

/** The fields that a registration sets; the store sets the others. */
export type NewApp = Pick<AppRecord, 'name' | 'subdomain' | 'type'>;
