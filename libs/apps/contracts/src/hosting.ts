/** `GET /api/hosting`: what there is to know before an app is registered, and to point names at one. */
export interface Hosting {
  /** What follows the subdomain of every app, such as `apps.example.com`. */
  readonly domain: string;
  /** The host that the CNAME record of every app names. */
  readonly cname_target: string;
  /** Every name nobody may register: the five that never can be, and those that are closed here. */
  readonly reserved_subdomains: readonly string[];
  /** How many apps an organization may have; null when as many as it likes. */
  readonly apps_per_organization: number | null;
  readonly deploy_limits: DeployLimits;
}

/** What an upload may be at most. */
export interface DeployLimits {
  /** Bytes of the archive as it is sent. */
  readonly archive_bytes: number;
  /** Bytes of all that is in it. */
  readonly unpacked_bytes: number;
  readonly files: number;
  /** Bytes of the largest file. */
  readonly file_bytes: number;
}
