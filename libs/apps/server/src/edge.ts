import type { HealthProbe } from '@homeport/platform/server';
import { EdgeHandler } from './adapters/edge/edge-handler';
import type { EdgeLog } from './adapters/edge/edge-log';
import { EdgeHealth } from './adapters/edge/edge-health';
import { EdgeServer } from './adapters/edge/edge-server';
import type { BlobStore } from './application/blobs/blob-store.port';
import { FileBodies } from './application/sites/file-bodies';
import type { SiteChanges, SiteDirectory } from './application/sites/site-directory.port';
import { SiteFiles } from './application/sites/site-files';
import { SiteMap } from './application/sites/site-map';

export interface EdgeOptions {
  /** The platform domain: sites are directly below it. */
  readonly domain: string;
  readonly directory: SiteDirectory;
  readonly changes: SiteChanges;
  readonly blobs: BlobStore;
  /** How much of memory the bodies of files may take. */
  readonly cacheBytes: number;
  readonly probes: readonly HealthProbe[];
  readonly log: EdgeLog;
}

/** What serves deployed apps: the origin behind the distribution. */
export class Edge {
  readonly #sites: SiteMap;
  readonly #health: EdgeHealth;
  readonly #server: EdgeServer;
  readonly #closed = new AbortController();

  constructor({ domain, directory, changes, blobs, cacheBytes, probes, log }: EdgeOptions) {
    this.#sites = new SiteMap(directory, changes);
    this.#health = new EdgeHealth(probes, () => this.#sites.knowsSites, log);
    const handler = new EdgeHandler({
      domain,
      sites: this.#sites,
      files: new SiteFiles(directory),
      bodies: new FileBodies(blobs, cacheBytes),
      atOtherHosts: (request, response) => this.#health.answer(request, response),
      log,
    });
    this.#server = new EdgeServer(handler.handle);
  }

  /** @returns the port; another one when it is 0. */
  async open(port: number, host: string): Promise<number> {
    this.#sites.open(this.#closed.signal);
    return this.#server.listen(port, host);
  }

  /** Says that it is not ready any more. */
  beginDraining(): void {
    this.#health.isDraining = true;
    this.#server.beginDraining();
  }

  /** Lets everybody finish. @returns whether all did within the limit; what is left then is cut off. */
  async close(limitMs: number): Promise<boolean> {
    const isDone = await this.#server.close(limitMs);
    this.#closed.abort();
    return isDone;
  }
}
