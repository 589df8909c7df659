import { LRUCache } from 'lru-cache';
import type { SiteDirectory, SiteFile } from './site-directory.port';
import type { DeployedSite } from './site-resolver';

/** Files that are known, and as many paths at which there is none. */
const MAX_CACHED = 50_000;
const ABSENT = Symbol('no file');

/** The files of deploys. They never change, so whatever was found out of them holds. */
export class SiteFileCache {
  readonly #files = new LRUCache<string, SiteFile>({ max: MAX_CACHED });
  readonly #absent = new LRUCache<string, typeof ABSENT>({ max: MAX_CACHED });
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(private readonly directory: SiteDirectory) {}

  /** Those of the paths that a deploy has. @throws {DatabaseUnavailable} */
  async find(deployId: string, paths: readonly string[]): Promise<ReadonlyMap<string, SiteFile>> {
    const found = new Map<string, SiteFile>();
    const unknown = paths.filter((path) => !this.#isKnown(`${deployId}/${path}`, path, found));
    if (unknown.length === 0) return found;
    await this.#once(`${deployId}/${unknown.join('//')}`, async () => {
      const files = await this.directory.findFiles(deployId, unknown);
      for (const path of unknown)
        this.#learn(
          `${deployId}/${path}`,
          files.find((file) => file.path === path),
        );
    });
    // From what is kept, also for those who only waited.
    for (const path of unknown) this.#isKnown(`${deployId}/${path}`, path, found);
    return found;
  }

  /**
   * A file of an earlier deploy of an app. It holds until visitors are shown another one: what was not there before that
   * may be there when it is rolled back from.
   * @throws {DatabaseUnavailable}
   */
  async findInEarlierDeploy(site: DeployedSite, path: string): Promise<SiteFile | undefined> {
    const { appId } = site;
    const key = earlierKey(site, path);
    const found = new Map<string, SiteFile>();
    if (!this.#isKnown(key, path, found)) {
      await this.#once(key, async () => this.#learn(key, await this.directory.findInEarlierDeploy(appId, path)));
      this.#isKnown(key, path, found);
    }
    return found.get(path);
  }

  /** Asks again the next time: whether a file of an earlier deploy is still to be had, changes when that is archived. */
  invalidate(site: DeployedSite, { deployId, path }: SiteFile): void {
    this.#files.delete(`${deployId}/${path}`);
    this.#files.delete(earlierKey(site, path));
  }

  /** Whether it is known what is there, which may be nothing. */
  #isKnown(key: string, path: string, found: Map<string, SiteFile>): boolean {
    const file = this.#files.get(key);
    if (file) found.set(path, file);
    return file !== undefined || this.#absent.get(key) === ABSENT;
  }

  #learn(key: string, file: SiteFile | undefined): void {
    if (file) this.#files.set(key, file);
    else this.#absent.set(key, ABSENT);
  }

  /** Everybody who asks the same at once waits for one answer. */
  async #once(key: string, work: () => Promise<void>): Promise<void> {
    const underWay = this.#underWay.get(key) ?? work().finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, underWay);
    await underWay;
  }
}

/** Of what an app has at a path where the active deploy has nothing. */
function earlierKey({ appId, lastRelease }: DeployedSite, path: string): string {
  return `${appId} ${lastRelease}/${path}`;
}
