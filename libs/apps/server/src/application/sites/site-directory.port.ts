import type { BlobKey } from '../../domain/blobs/blob-key';
import type { SiteRules } from '../../domain/sites/site-rules';

/** What answers at a host: an app, or one deploy of it for those who know the address. */
export interface Site {
  readonly kind: 'app' | 'preview';
  readonly appId: string;
  /** The app's name as people know it. */
  readonly name: string;
  /** Undefined for an app to which nothing was deployed. */
  readonly deploy: { readonly id: string; readonly rules: SiteRules } | undefined;
  /**
   * Of an app: changes with every release, even when visitors see the same deploy again, and with every deletion of a
   * deploy that visitors once saw. What is known of earlier deploys holds as long as it is the same.
   */
  readonly lastRelease: string | undefined;
  /** Until then browsers are told to drop what another organization stored under this name; absent when none had it. */
  readonly clearsDataUntil?: Date;
}

/** A name whose app was deleted, and which no app has now. */
export interface ReleasedName {
  readonly kind: 'released';
}

/** A file of a deploy, which never changes. */
export interface SiteFile {
  readonly deployId: string;
  readonly path: string;
  readonly size: number;
  readonly contentType: string;
  /** SHA-256, lower-case hex. */
  readonly digest: string;
  readonly blob: BlobKey;
  /** Bytes in that coding; undefined where there is none. */
  readonly brSize: number | undefined;
  readonly gzipSize: number | undefined;
}

/** What is served, as it is written down. Every method raises DatabaseUnavailable. */
export abstract class SiteDirectory {
  /** @param label of the host, directly below the platform domain. Undefined when nobody has it. */
  abstract findSite(label: string): Promise<Site | ReleasedName | undefined>;

  /** Those of the paths that a deploy has; in any order. */
  abstract findFiles(deployId: string, paths: readonly string[]): Promise<readonly SiteFile[]>;

  /**
   * A file of that path in the newest deploy of an app that is ready, was live, and has one: for pages that are still
   * open. What nobody has shown to visitors yet stays at its preview address.
   */
  abstract findInEarlierDeploy(appId: string, path: string): Promise<SiteFile | undefined>;
}

/** Says which sites are not what they were. */
export abstract class SiteChangeFeed {
  /**
   * Listens until the signal is raised, and never gives up.
   * @param heard called with the label of the host of each site that has changed; with undefined when changes may have
   * been missed, so that nothing that is known of any site is certain.
   */
  abstract listen(heard: (label: string | undefined) => void, signal: AbortSignal): void;

  /** Whether every change is heard of at this moment. */
  abstract get isConnected(): boolean;
}
