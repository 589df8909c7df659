import { LRUCache } from 'lru-cache';
import type { SiteDirectory, SiteFile } from './site-directory.port';
import type { DeployedSite } from './site-resolver';

/** Limit for files, and separately for paths without a file. */
const MAX_CACHED = 50_000;
const ABSENT = Symbol('no file');

/** Caches the files of deploys, which are immutable. */
export class SiteFileCache {
  readonly #files = new LRUCache<string, SiteFile>({ max: MAX_CACHED });
  readonly #absent = new LRUCache<string, typeof ABSENT>({ max: MAX_CACHED });
  readonly #running = new Map<string, Promise<void>>();

  constructor(private readonly directory: SiteDirectory) {}

  /** Finds the files of a deploy at those of the paths that exist. @throws {DatabaseUnavailable} */
  async find(deployId: string, paths: readonly string[]): Promise<ReadonlyMap<string, SiteFile>> {
    const found = new Map<string, SiteFile>();
    const unknown = paths.filter((path) => !this.#readCached(`${deployId}/${path}`, path, found));
    if (unknown.length === 0) return found;
    await this.#singleFlight(`${deployId}/${unknown.join('//')}`, async () => {
      const files = await this.directory.findFiles(deployId, unknown);
      for (const path of unknown)
        this.#store(
          `${deployId}/${path}`,
          files.find((file) => file.path === path),
        );
    });
    // Read from the cache, because this request may only have waited for another one.
    for (const path of unknown) this.#readCached(`${deployId}/${path}`, path, found);
    return found;
  }

  /**
   * Finds a file of an earlier deploy of an app. The result is cached until the next release: the deploy that is live
   * now becomes an earlier one then.
   * @throws {DatabaseUnavailable}
   */
  async findInEarlierDeploy(site: DeployedSite, path: string): Promise<SiteFile | undefined> {
    const { appId } = site;
    const key = earlierKey(site, path);
    const found = new Map<string, SiteFile>();
    if (!this.#readCached(key, path, found)) {
      await this.#singleFlight(key, async () =>
        this.#store(key, await this.directory.findInEarlierDeploy(appId, path)),
      );
      this.#readCached(key, path, found);
    }
    return found.get(path);
  }

  /** Removes a file from the cache: a file of an earlier deploy disappears when that deploy is archived. */
  invalidate(site: DeployedSite, { deployId, path }: SiteFile): void {
    this.#files.delete(`${deployId}/${path}`);
    this.#files.delete(earlierKey(site, path));
  }

  /** Whether the cache knows the path, with or without a file; adds the file to `found`. */
  #readCached(key: string, path: string, found: Map<string, SiteFile>): boolean {
    const file = this.#files.get(key);
    if (file) found.set(path, file);
    return file !== undefined || this.#absent.get(key) === ABSENT;
  }

  #store(key: string, file: SiteFile | undefined): void {
    if (file) this.#files.set(key, file);
    else this.#absent.set(key, ABSENT);
  }

  /** Runs the same query once for concurrent requests. */
  async #singleFlight(key: string, work: () => Promise<void>): Promise<void> {
    const running = this.#running.get(key) ?? work().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    await running;
  }
}

/** The cache key of a file of an earlier deploy. */
function earlierKey({ appId, lastRelease }: DeployedSite, path: string): string {
  return `${appId} ${lastRelease}/${path}`;
}
