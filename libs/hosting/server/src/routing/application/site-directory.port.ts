import type { BlobKey } from '@homeport/platform/server/blobs';
import type { SiteRules } from '@homeport/hosting/contracts';

/** The site at a host: the live deploy of an app, or a preview of one deploy, at its own address or a branch alias. */
export interface Site {
  readonly kind: 'app' | 'preview';
  readonly appId: string;
  /** The display name of the app. */
  readonly name: string;
  /** Undefined for an app without a live deploy. */
  readonly deploy: { readonly id: string; readonly rules: SiteRules } | undefined;
  /** The server of the live deploy, with the version of the app's variables; absent for static sites. */
  readonly server?: { readonly version: number };
  /**
   * Changes with every release of an app, even if the same deploy becomes live again, and with every deletion of a
   * deploy that was live. Cached files of earlier deploys are valid as long as it does not change.
   */
  readonly lastRelease: string | undefined;
  /** Until this time browsers are told to clear data of another organization that had the name; absent without one. */
  readonly clearsDataUntil?: Date;
  /** The own domain of the organization through which the site was found; absent below the platform domain. */
  readonly domain?: SiteDomain;
}

/** An own domain of an organization that serves a site. */
export interface SiteDomain {
  /** `hostname`: the site of one app; `base`: the sites of all apps, each one label below it. */
  readonly kind: 'hostname' | 'base';
  /** The hostname of the same site below the platform domain. */
  readonly platformHostname: string;
  /** The hostname to which visitors are redirected; absent when the site is served. */
  readonly redirectTo?: string;
}

/** The name of a deleted app that no app has now. */
export interface ReleasedName {
  readonly kind: 'released';
}

/** An immutable file of a deploy. */
export interface SiteFile {
  readonly deployId: string;
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** SHA-256, lower-case hex. */
  readonly digest: string;
  readonly blob: BlobKey;
  /** Bytes of the compressed variant; undefined when it is not stored. */
  readonly brSize: number | undefined;
  readonly gzipSize: number | undefined;
}

/** Reads sites and their files. Every method can reject with DatabaseUnavailable. */
export abstract class SiteDirectory {
  /** @param hostname in lower case, without a port. @returns undefined for an unknown host. */
  abstract findSite(hostname: string): Promise<Site | ReleasedName | undefined>;

  /** @returns the files of a deploy at those of the paths that exist, in any order. */
  abstract findFiles(deployId: string, paths: readonly string[]): Promise<readonly SiteFile[]>;

  /**
   * Finds a file for pages that are still open: in the newest ready deploy of an app that was live and has the path.
   * Deploys that were never live are served only at their preview URL.
   */
  abstract findInEarlierDeploy(appId: string, path: string): Promise<SiteFile | undefined>;
}

/** Notifies about changed sites. */
export abstract class SiteChangeFeed {
  /**
   * Listens until the signal is aborted, and reconnects after every failure.
   * @param onChange called with the hostname of each changed site below the platform domain, with an own domain that
   * changed together with the hosts below it, or with undefined when changes may have been missed, so that all cached
   * sites may be outdated.
   */
  abstract listen(onChange: (hostname: string | undefined) => void, signal: AbortSignal): void;

  /** Whether all changes are received at this moment. */
  abstract get isConnected(): boolean;
}
