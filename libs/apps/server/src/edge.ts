import type { ServerResponse } from 'node:http';
import type { HealthMonitor, OutageLog } from '@homeport/platform/server';
import { EdgeHandler } from './adapters/edge/edge-handler';
import type { EdgeLog } from './adapters/edge/edge-log';
import { EdgeHealth } from './adapters/edge/edge-health';
import { EdgeServer } from './adapters/edge/edge-server';
import type { BlobStore } from './application/blobs/blob-store.port';
import { BlobCache } from './application/sites/blob-cache';
import type { SiteChangeFeed, SiteDirectory } from './application/sites/site-directory.port';
import { SiteFileCache } from './application/sites/site-file-cache';
import { SiteCache } from './application/sites/site-cache';

export interface EdgeOptions {
  /** The platform domain: sites are directly below it. */
  readonly domain: string;
  readonly directory: SiteDirectory;
  readonly changes: SiteChangeFeed;
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
  readonly #sites: SiteCache;
  readonly #health: EdgeHealth;
  readonly #server: EdgeServer;
  readonly #monitor: HealthMonitor;
  readonly #closed = new AbortController();

  constructor({ domain, directory, changes, blobs, cacheBytes, health, log, responses, streamOutages }: EdgeOptions) {
    this.#sites = new SiteCache(directory, changes);
    this.#monitor = health;
    this.#health = new EdgeHealth(health);
    const handler = new EdgeHandler({
      domain,
      sites: this.#sites,
      files: new SiteFileCache(directory),
      bodies: new BlobCache(blobs, cacheBytes),
      onOtherHost: (request, response) => this.#health.answer(request, response),
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
    await this.#monitor.waitUntilHealthy();
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
