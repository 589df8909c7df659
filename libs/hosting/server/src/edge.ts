import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import type { HealthMonitor } from '@homeport/platform/server/health';
import type { LoadShedder } from '@homeport/platform/server/node-http';
import type { OutageLog } from '@homeport/platform/server/observability';
import { EdgeHandler } from './routing/adapters/http/edge-handler';
import type { EdgeLog } from './routing/adapters/http/edge-log';
import { EdgeHealth } from './routing/adapters/http/edge-health';
import { EdgeServer } from './routing/adapters/http/edge-server';
import type { RuntimeClient } from './routing/adapters/http/runtime-client';
import { ServerForwarder } from './routing/adapters/http/server-forwarder';
import { type ClientConnectionResolver, createClientConnectionResolver } from '@homeport/platform/server/network';
import type { BlobStore } from '@homeport/platform/server/blobs';
import { BlobCache } from './static/application/blob-cache';
import type { SiteChangeFeed, SiteDirectory } from './routing/application/site-directory.port';
import { SiteFileCache } from './routing/application/site-file-cache';
import type { CacheUse } from './routing/application/cache-use';
import { SiteCache } from './routing/application/site-cache';
import { type EdgeTlsOptions, SecureEdge } from './tls/secure-edge';

export interface EdgeOptions {
  readonly hostnames: SiteHostnames;
  readonly directory: SiteDirectory;
  readonly changes: SiteChangeFeed;
  readonly blobs: BlobStore;
  /** Bytes of memory for cached file bodies. */
  readonly cacheBytes: number;
  /** Checks the dependencies of the edge; `open` starts it and `close` stops it. */
  readonly health: HealthMonitor;
  readonly log: EdgeLog;
  /** Runs the servers of SSR apps on this machine. Without one, their requests are rejected. */
  readonly runtime?: RuntimeClient | undefined;
  /** What servers are told about the connections of visitors. Default: no proxy is trusted. */
  readonly connectionOf?: ClientConnectionResolver;
  /** Logs when downloads are rejected because too many are in progress. */
  readonly streamOutages?: OutageLog;
  /** Handles a request in a span. Default: calls `handle`. */
  readonly trace?: ((request: IncomingMessage, response: ServerResponse, handle: () => void) => void) | undefined;
  /** Refuses lookups in an overload. Default: all are admitted. */
  readonly shedder?: Pick<LoadShedder, 'admit'> | undefined;
  /** The response class, as `loggedResponses` creates it. Default: no request log. */
  readonly responses?: typeof ServerResponse;
  /** Terminates TLS on a second port. Without it, a proxy in front does so, or sites are served by plain HTTP alone. */
  readonly tls?: EdgeTlsOptions | undefined;
}

/** The server for deployed apps: the origin server behind the CDN. */
export class Edge {
  readonly #sites: SiteCache;
  readonly #bodies: BlobCache;
  readonly #health: EdgeHealth;
  readonly #server: EdgeServer;
  readonly #secure: SecureEdge | undefined;
  readonly #monitor: HealthMonitor;
  readonly #runtime: RuntimeClient | undefined;
  readonly #closed = new AbortController();
  #isOpen = false;

  constructor({
    hostnames,
    directory,
    changes,
    blobs,
    cacheBytes,
    health,
    log,
    runtime,
    connectionOf = createClientConnectionResolver([]),
    responses,
    streamOutages,
    shedder,
    trace,
    tls,
  }: EdgeOptions) {
    this.#sites = new SiteCache(directory, changes);
    this.#bodies = new BlobCache(blobs, cacheBytes);
    this.#monitor = health;
    this.#health = new EdgeHealth(health);
    const { handle: answer, upgrade } = new EdgeHandler({
      hostnames,
      sites: this.#sites,
      files: new SiteFileCache(directory),
      bodies: this.#bodies,
      onOtherHost: (request, response) => this.#health.answer(request, response),
      log,
      servers: new ServerForwarder(runtime, connectionOf),
      shedder,
      streamOutages,
    });
    const handle: typeof answer = trace
      ? (request, response) => trace(request, response, () => answer(request, response))
      : answer;
    this.#runtime = runtime;
    this.#secure =
      tls && new SecureEdge({ tls, log, hostnames, connectionOf, handle, upgrade, ...(responses && { responses }) });
    this.#server = new EdgeServer(this.#secure?.handlePlain ?? handle, { responses, upgrade });
  }

  /** Whether this instance should receive requests. */
  get isReady(): boolean {
    return this.#isOpen && !this.#health.isDraining;
  }

  /** How the caches were used since the start. */
  get caches(): Readonly<Record<'sites' | 'bodies', CacheUse>> {
    return { sites: this.#sites.use, bodies: this.#bodies.use };
  }

  /** The memory of the cached bodies of files. */
  get cachedBytes(): number {
    return this.#bodies.cachedBytes;
  }

  /** The port in use for TLS; undefined when the edge does not terminate TLS. */
  get tlsPort(): number | undefined {
    return this.#secure?.port;
  }

  /**
   * Listens as soon as every gating dependency was up once. Before that, the edge could answer no request, but a proxy
   * would send requests to an open port.
   * @param port 0 chooses a free port.
   * @returns the port in use.
   */
  async open(port: number, host: string): Promise<number> {
    this.#monitor.start();
    await this.#monitor.waitUntilHealthy();
    this.#sites.open(this.#closed.signal);
    await this.#secure?.open(host, this.#closed.signal);
    const used = await this.#server.listen(port, host);
    this.#isOpen = true;
    return used;
  }

  /** Reports the instance as not ready, while it continues to serve requests. */
  beginDraining(): void {
    this.#health.isDraining = true;
    this.#server.beginDraining();
    this.#secure?.beginDraining();
  }

  /** Stops the servers. @returns whether every request was answered within the limit; the others are cut off. */
  async close(limitMs: number): Promise<boolean> {
    const areDone = await Promise.all([this.#server.close(limitMs), this.#secure?.close(limitMs)]);
    this.#runtime?.close();
    this.#monitor.stop();
    this.#closed.abort();
    return !areDone.includes(false);
  }
}
