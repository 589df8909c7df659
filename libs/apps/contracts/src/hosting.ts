import type { AppType } from './app';

/** `GET /api/hosting`: the limits and names that clients need before they register an app. */
export interface Hosting {
  /** The platform domain, which follows the subdomain of every app, such as `apps.example.com`. */
  readonly domain: string;
  /** The host that the CNAME record of every app points to. */
  readonly cname_target: string;
  /** All reserved names: the five that are always reserved, and those from the configuration. */
  readonly reserved_subdomains: readonly string[];
  /** How many apps an organization may have; null without a limit. */
  readonly apps_per_organization: number | null;
  readonly deploy_limits: DeployLimits;
  /** The types of apps that can be registered: `ssr` only while servers can run. */
  readonly app_types: readonly AppType[];
}

/** Upper limits of an upload. */
export interface DeployLimits {
  /** Bytes of the archive as it is sent. */
  readonly archive_bytes: number;
  /** Bytes of all files in the archive. */
  readonly unpacked_bytes: number;
  readonly files: number;
  /** Bytes of the largest file. */
  readonly file_bytes: number;
}
