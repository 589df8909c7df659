import type { ActiveDeploy, App, AppAddress, Deploy } from '@homeport/apps/contracts';
import type { DeployRecord } from '../../deploys/domain/deploy-record';
import { dnsErrorOf, dnsStatusOf } from '../../dns/domain/dns-record';
import type { HostnamePolicy } from '../domain/hostname-policy';
import type { ActiveDeployRecord, AppRecord } from '../../registry/domain/app-record';
import { previewLabel } from '@homeport/hosting/contracts';

/** Presents apps and deploys as API responses, with their hostnames and URLs. */
export class AppPresenter {
  constructor(private readonly hostnames: HostnamePolicy) {}

  presentApp(record: AppRecord): App {
    const hostname = this.hostnames.hostnameOf(record.subdomain);
    const addresses = this.#addressesOf(record);
    const error = dnsErrorOf(record.dns);
    return {
      id: record.id,
      name: record.name,
      subdomain: record.subdomain,
      hostname,
      url: addresses.find(({ is_primary }) => is_primary)?.url ?? this.hostnames.urlOf(hostname),
      addresses,
      type: record.type,
      deploy_count: record.deployCount,
      dns_status: dnsStatusOf(record.dns),
      ...(error === undefined ? {} : { dns_error: error }),
      active_deploy_id: record.activeDeployId,
      active_deploy: record.activeDeploy ? presentActiveDeploy(record.activeDeploy) : null,
      ...(record.type === 'ssr' && { runtime: record.runtime ?? { state: 'none', instances: 0 } }),
      created_at: record.createdAt.toISOString(),
    };
  }

  /** The primary host name of the app comes before the primary base domain of the organization. */
  #addressesOf({ subdomain, domains }: AppRecord): readonly AppAddress[] {
    const primary =
      domains.find(({ kind, isPrimary }) => isPrimary && kind === 'hostname') ??
      domains.find(({ isPrimary }) => isPrimary);
    const platform = {
      url: this.hostnames.urlOf(this.hostnames.hostnameOf(subdomain)),
      kind: 'platform',
      is_primary: primary === undefined,
    } as const;
    const own = domains.map((domain) => ({
      url: this.hostnames.urlOf(domain.kind === 'base' ? `${subdomain}.${domain.name}` : domain.name),
      kind: domain.kind,
      is_primary: domain === primary,
    }));
    return [platform, ...own];
  }

  /** @param base the platform domain when undefined. */
  #urlBelow(base: string | undefined, label: string): string {
    return this.hostnames.urlOf(base === undefined ? this.hostnames.hostnameOf(label) : `${label}.${base}`);
  }

  presentDeploy(record: DeployRecord): Deploy {
    return {
      id: record.id,
      app_id: record.appId,
      number: record.number,
      status: record.status,
      file_count: record.fileCount,
      total_bytes: record.totalBytes,
      url: this.#urlBelow(record.baseDomain, previewLabel(record.id)),
      alias_url: record.alias === undefined ? null : this.#urlBelow(record.baseDomain, record.alias),
      created_at: record.createdAt.toISOString(),
      ready_at: record.readyAt?.toISOString() ?? null,
      archived_at: record.archivedAt?.toISOString() ?? null,
      first_live_at: record.firstLiveAt?.toISOString() ?? null,
      held_back: record.isHeldBack,
      created_by: record.createdBy,
      source: record.source ?? null,
      problem_count: record.problemCount,
      framework: record.framework ?? null,
      ...(record.error && { error: record.error }),
    };
  }
}

function presentActiveDeploy(deploy: ActiveDeployRecord): ActiveDeploy {
  return {
    number: deploy.number,
    created_at: deploy.createdAt.toISOString(),
    created_by: deploy.createdBy,
    problem_count: deploy.problemCount,
    has_start_page: deploy.hasStartPage,
  };
}
