import { type AppType, type Hosting, RESERVED_SUBDOMAINS } from '@homeport/apps/contracts';
import type { ArchiveLimits } from '../../../deploys/domain/archive-limits';
import type { HostnamePolicy } from '../../../shared/domain/hostname-policy';

export interface HostingOptions {
  /** How many apps an organization may have. */
  readonly quota: number;
  readonly appTypes: readonly AppType[];
  readonly deploys: { readonly limits: ArchiveLimits };
}

/** Builds the public hosting settings. */
export function hostingOf(hostnames: HostnamePolicy, { quota, appTypes, deploys }: HostingOptions): Hosting {
  const { limits } = deploys;
  return {
    domain: hostnames.domain,
    cname_target: hostnames.cdnHostname,
    reserved_subdomains: [...new Set([...RESERVED_SUBDOMAINS, ...hostnames.reserved])],
    apps_per_organization: quota,
    app_types: appTypes,
    deploy_limits: {
      archive_bytes: limits.archiveBytes,
      unpacked_bytes: limits.unpackedBytes,
      files: limits.files,
      file_bytes: limits.fileBytes,
    },
  };
}
