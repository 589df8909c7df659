import type { App, Deploy } from '@homeport/apps/contracts';
import type { AppRecord } from './registry/app-record';
import type { DeployRecord } from './deploys/deploy-record';
import { dnsErrorOf, dnsStatusOf } from './dns/dns-record';
import { previewLabel } from './sites/preview-label';

export interface HostnamePolicyOptions {
  /** The domain of all apps, such as `apps.example.com`. */
  readonly domain: string;
  /** The content-delivery host that every app's CNAME points to. */
  readonly cdnHostname: string;
  /** The local port of the edge server. */
  readonly edgePort: number;
  /** Reserved labels, in addition to the five that are always reserved. */
  readonly reserved: readonly string[];
}

/** Builds the hostnames and URLs of apps and previews, and presents records with them in API responses. */
export class HostnamePolicy {
  readonly cdnHostname: string;
  readonly reserved: readonly string[];

  constructor(private readonly options: HostnamePolicyOptions) {
    this.cdnHostname = options.cdnHostname;
    this.reserved = [...options.reserved, ...cdnLabel(options)];
  }

  hostnameOf(subdomain: string): string {
    return `${subdomain}.${this.options.domain}`;
  }

  /** The label of a hostname directly below the domain; undefined for any other hostname. */
  labelOf(hostname: string): string | undefined {
    const suffix = `.${this.options.domain}`;
    const label = hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : '';
    return label === '' || label.includes('.') ? undefined : label;
  }

  presentApp(record: AppRecord): App {
    const hostname = this.hostnameOf(record.subdomain);
    const error = dnsErrorOf(record.dns);
    return {
      id: record.id,
      name: record.name,
      subdomain: record.subdomain,
      hostname,
      url: this.#urlOf(hostname),
      type: record.type,
      deploy_count: record.deployCount,
      dns_status: dnsStatusOf(record.dns),
      ...(error === undefined ? {} : { dns_error: error }),
      active_deploy_id: record.activeDeployId,
      created_at: record.createdAt.toISOString(),
    };
  }

  presentDeploy(record: DeployRecord): Deploy {
    return {
      id: record.id,
      app_id: record.appId,
      status: record.status,
      file_count: record.fileCount,
      total_bytes: record.totalBytes,
      url: this.#urlOf(this.hostnameOf(previewLabel(record.id))),
      created_at: record.createdAt.toISOString(),
      ready_at: record.readyAt?.toISOString() ?? null,
      archived_at: record.archivedAt?.toISOString() ?? null,
      created_by: record.createdBy,
      ...(record.error && { error: record.error }),
    };
  }

  #urlOf(hostname: string): string {
    const isLocal = hostname.endsWith('.localhost');
    return isLocal ? `http://${hostname}:${this.options.edgePort}` : `https://${hostname}`;
  }
}

/** The label of a CDN hostname below the platform domain, which is reserved: an app with it would shadow the CDN. */
function cdnLabel({ domain, cdnHostname }: HostnamePolicyOptions): string[] {
  if (!cdnHostname.endsWith(`.${domain}`)) return [];
  return cdnHostname
    .slice(0, -domain.length - 1)
    .split('.')
    .slice(-1);
}
