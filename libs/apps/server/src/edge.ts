import type { ServerResponse } from 'node:http';
import type { HealthMonitor, OutageLog } from '@homeport/platform/server';
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
  /** Checks what the edge depends on; `open` starts it and `close` stops it. */
  readonly health: HealthMonitor;
  readonly log: EdgeLog;
  /** Told when downloads are rejected because too many are under way. */
  readonly streamOutages?: OutageLog;
  /** The class of the answers, as `loggedResponses` makes one. Default: nothing is logged. */
  readonly responses?: typeof ServerResponse;
}

/** What serves deployed apps: the origin behind the distribution. */
export class Edge {
  readonly #sites: SiteMap;
  readonly #health: EdgeHealth;
  readonly #server: EdgeServer;
  readonly #monitor: HealthMonitor;
  readonly #closed = new AbortController();

  constructor({ domain, directory, changes, blobs, cacheBytes, health, log, responses, streamOutages }: EdgeOptions) {
    this.#sites = new SiteMap(directory, changes);
    this.#monitor = health;
    this.#health = new EdgeHealth(health);
    const handler = new EdgeHandler({
      domain,
      sites: this.#sites,
      files: new SiteFiles(directory),
      bodies: new FileBodies(blobs, cacheBytes),
      atOtherHosts: (request, response) => this.#health.answer(request, response),
      log,
      streamOutages,
    });
    this.#server = new EdgeServer(handler.handle, responses);
  }

  /**
   * Listens as soon as every gating dependency was up once: before that, no request could be answered, and a proxy that
   * finds the port open would send some.
   * @returns the port; another one when it is 0.
   */
  async open(port: number, host: string): Promise<number> {
    this.#monitor.start();
    await this.#monitor.passedOnce();
    this.#sites.open(this.#closed.signal);
    return this.#server.listen(port, host);
  }

  /** Reports that the instance is not ready any more; it serves on. */
  beginDraining(): void {
    this.#health.isDraining = true;
    this.#server.beginDraining();
  }

  /** @returns whether every request was answered within the limit; what is left then is cut off. */
  async close(limitMs: number): Promise<boolean> {
    const isDone = await this.#server.close(limitMs);
    this.#monitor.stop();
    this.#closed.abort();
    return isDone;
  }
}
