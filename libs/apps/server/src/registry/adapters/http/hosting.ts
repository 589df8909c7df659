import { type Hosting, RESERVED_SUBDOMAINS } from '@homeport/apps/contracts';
import type { ArchiveLimits } from '../../../deploys/domain/archive-limits';
import type { HostnamePolicy } from '../../../shared/domain/hostname-policy';

/** Builds the public hosting settings. @param quota how many apps an organization may have. */
export function hostingOf(hostnames: HostnamePolicy, quota: number, limits: ArchiveLimits): Hosting {
  return {
    domain: hostnames.domain,
    cname_target: hostnames.cdnHostname,
    reserved_subdomains: [...new Set([...RESERVED_SUBDOMAINS, ...hostnames.reserved])],
    apps_per_organization: quota,
    deploy_limits: {
      archive_bytes: limits.archiveBytes,
      unpacked_bytes: limits.unpackedBytes,
      files: limits.files,
      file_bytes: limits.fileBytes,
    },
  };
}
