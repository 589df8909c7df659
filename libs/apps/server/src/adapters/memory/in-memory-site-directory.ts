import {
  type ReleasedName,
  type Site,
  SiteChangeFeed,
  SiteDirectory,
  type SiteFile,
} from '../../application/sites/site-directory.port';

/** Sites in memory, for tests. Passes the same contract suite as the real one. */
export class InMemorySiteDirectory extends SiteDirectory {
  /** By the label of the host. */
  readonly sites = new Map<string, Site | ReleasedName>();
  /** Of deploys that are ready, oldest first: the app of each, and its files. */
  readonly deploys = new Map<string, { readonly appId: string; readonly files: readonly SiteFile[] }>();
  /** Deploys that were live. */
  readonly released = new Set<string>();
  /** Each call, for tests that count them. */
  readonly calls: string[] = [];
  /** Raised instead of an answer while it is there. */
  failure: Error | undefined;

  async findSite(label: string): Promise<Site | ReleasedName | undefined> {
    this.#note(`site ${label}`);
    return this.sites.get(label);
  }

  async findFiles(deployId: string, paths: readonly string[]): Promise<readonly SiteFile[]> {
    this.#note(`files ${paths.join(' ')}`);
    return this.deploys.get(deployId)?.files.filter(({ path }) => paths.includes(path)) ?? [];
  }

  async findInEarlierDeploy(appId: string, path: string): Promise<SiteFile | undefined> {
    this.#note(`earlier ${path}`);
    const own = [...this.deploys]
      .filter(([id, deploy]) => deploy.appId === appId && this.released.has(id))
      .toReversed();
    return own.flatMap(([, { files }]) => files).find((file) => file.path === path);
  }

  #note(call: string): void {
    this.calls.push(call);
    if (this.failure) throw this.failure;
  }
}

/** Changes that a test tells of. */
export class InMemorySiteChangeFeed extends SiteChangeFeed {
  override isConnected = true;
  #heard: (label: string | undefined) => void = () => undefined;

  override listen(heard: (label: string | undefined) => void): void {
    this.#heard = heard;
    heard(undefined);
  }

  tell(label: string): void {
    this.#heard(label);
  }

  lose(): void {
    this.isConnected = false;
  }

  regain(): void {
    this.isConnected = true;
    this.#heard(undefined);
  }
}
