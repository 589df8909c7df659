import {
  type ReleasedName,
  type Site,
  SiteChangeFeed,
  SiteDirectory,
  type SiteFile,
} from '../../application/site-directory.port';

/** The site directory in memory, for tests. Passes the same contract suite as the PostgreSQL adapter. */
export class InMemorySiteDirectory extends SiteDirectory {
  /** By hostname. */
  readonly sites = new Map<string, Site | ReleasedName>();
  /** Ready deploys, oldest first: the id of the app and its files. */
  readonly deploys = new Map<string, { readonly appId: string; readonly files: readonly SiteFile[] }>();
  /** Ids of deploys that were live. */
  readonly released = new Set<string>();
  /** Every call, for tests that count them. */
  readonly calls: string[] = [];
  /** While set, every call throws it. */
  failure: Error | undefined;

  async findSite(hostname: string): Promise<Site | ReleasedName | undefined> {
    this.#record(`site ${hostname}`);
    return this.sites.get(hostname);
  }

  async findFiles(deployId: string, paths: readonly string[]): Promise<readonly SiteFile[]> {
    this.#record(`files ${paths.join(' ')}`);
    return this.deploys.get(deployId)?.files.filter(({ path }) => paths.includes(path)) ?? [];
  }

  async findInEarlierDeploy(appId: string, path: string): Promise<SiteFile | undefined> {
    this.#record(`earlier ${path}`);
    const released = [...this.deploys]
      .filter(([id, deploy]) => deploy.appId === appId && this.released.has(id))
      .toReversed();
    return released.flatMap(([, { files }]) => files).find((file) => file.path === path);
  }

  #record(call: string): void {
    this.calls.push(call);
    if (this.failure) throw this.failure;
  }
}

/** A change feed that a test controls. */
export class InMemorySiteChangeFeed extends SiteChangeFeed {
  override isConnected = true;
  #onChange: (hostname: string | undefined) => void = () => undefined;

  override listen(onChange: (hostname: string | undefined) => void): void {
    this.#onChange = onChange;
    onChange(undefined);
  }

  tell(hostname: string): void {
    this.#onChange(hostname);
  }

  lose(): void {
    this.isConnected = false;
  }

  regain(): void {
    this.isConnected = true;
    this.#onChange(undefined);
  }
}
