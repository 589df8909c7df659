import { setTimeout } from 'node:timers/promises';
import { CodedFailure, type OutageLog } from '@homeport/platform/server/observability';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import { Client } from 'pg';
import { SiteChangeFeed } from '../../application/site-directory.port';

/** The triggers of `apps.apps` and `apps.deploys` notify on this channel. */
const CHANNEL = 'homeport_sites';
/** A dead connection looks like an idle one, so a heartbeat query tests it. */
const HEARTBEAT_MS = 500;
const RESPONSE_TIMEOUT_MS = 1_000;
const RETRY_MS = 300;
const OPERATION = 'listen';

type ChangeListener = (hostname: string | undefined) => void;

export interface SiteChangeFeedOptions {
  readonly url: string;
  readonly hostnames: SiteHostnames;
  /** Logs connection failures and recoveries. */
  readonly outages?: OutageLog;
}

/** Receives PostgreSQL notifications over a dedicated connection. */
export class PostgresSiteChangeFeed extends SiteChangeFeed {
  #isConnected = false;

  constructor(private readonly options: SiteChangeFeedOptions) {
    super();
  }

  override get isConnected(): boolean {
    return this.#isConnected;
  }

  override listen(onChange: ChangeListener, signal: AbortSignal): void {
    void this.#keepListening(onChange, signal);
  }

  async #keepListening(onChange: ChangeListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wasStable = await this.#listenOnce(onChange, signal);
      // Reconnects at once after a stable connection breaks.
      if (!wasStable) await sleep(RETRY_MS, signal);
    }
  }

  /** Listens until the connection breaks. @returns whether at least one heartbeat succeeded. */
  async #listenOnce(onChange: ChangeListener, signal: AbortSignal): Promise<boolean> {
    const client = new Client({
      connectionString: this.options.url,
      application_name: 'homeport-edge-changes',
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    let heartbeats = 0;
    const broken = new AbortController();
    const stopSignal = AbortSignal.any([signal, broken.signal]);
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new CodedFailure('connection-terminated', 'PostgreSQL closed the connection')));
    client.on('notification', ({ payload = '' }) => onChange(this.options.hostnames.hostnameOf(payload)));
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#isConnected = true;
      this.options.outages?.succeeded(OPERATION);
      onChange(undefined);
      for (; await sleep(HEARTBEAT_MS, stopSignal); heartbeats += 1) await client.query('select 1');
      if (!signal.aborted) this.options.outages?.failed(broken.signal.reason, OPERATION);
    } catch (error) {
      if (!signal.aborted) this.options.outages?.failed(error, OPERATION);
    } finally {
      this.#isConnected = false;
      client.connection.stream.destroy();
    }
    return heartbeats > 0;
  }
}

/** @returns whether the full time has passed. */
async function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { signal }).catch(() => false);
}
