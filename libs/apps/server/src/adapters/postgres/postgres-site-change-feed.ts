import { setTimeout } from 'node:timers/promises';
import { CodedFailure, type OutageLog } from '@homeport/platform/server';
import { Client } from 'pg';
import { SiteChangeFeed } from '../../application/sites/site-directory.port';

/** On which the triggers of `apps.apps` and `apps.deploys` tell. */
const CHANNEL = 'homeport_sites';
/** A connection into a black hole looks like one on which nothing happens; one that answers is there. */
const HEARTBEAT_MS = 500;
const ANSWER_LIMIT_MS = 1_000;
const RETRY_MS = 300;
const OPERATION = 'listen';

type ChangeListener = (label: string | undefined) => void;

export interface SiteChangeFeedOptions {
  readonly url: string;
  /** Told when the connection fails and when it is back. */
  readonly outages?: OutageLog;
}

/** Notifications of PostgreSQL, over a connection that is there for nothing else. */
export class PostgresSiteChangeFeed extends SiteChangeFeed {
  #isConnected = false;

  constructor(private readonly options: SiteChangeFeedOptions) {
    super();
  }

  override get isConnected(): boolean {
    return this.#isConnected;
  }

  override listen(heard: ChangeListener, signal: AbortSignal): void {
    void this.#keepListening(heard, signal);
  }

  async #keepListening(heard: ChangeListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const hasHeld = await this.#listenOnce(heard, signal);
      // One that held for a while and broke is opened again at once.
      if (!hasHeld) await sleep(RETRY_MS, signal);
    }
  }

  /** Listens for as long as the line holds. @returns whether it held for a while. */
  async #listenOnce(heard: ChangeListener, signal: AbortSignal): Promise<boolean> {
    const line = new Client({
      connectionString: this.options.url,
      application_name: 'homeport-edge-changes',
      connectionTimeoutMillis: ANSWER_LIMIT_MS,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
    });
    let beats = 0;
    const broken = new AbortController();
    const ends = AbortSignal.any([signal, broken.signal]);
    line.on('error', (error) => broken.abort(error));
    line.on('end', () => broken.abort(new CodedFailure('connection-terminated', 'PostgreSQL closed the connection')));
    line.on('notification', ({ payload }) => heard(payload));
    try {
      await line.connect();
      await line.query(`listen ${CHANNEL}`);
      this.#isConnected = true;
      this.options.outages?.succeeded(OPERATION);
      heard(undefined);
      for (; await sleep(HEARTBEAT_MS, ends); beats += 1) await line.query('select 1');
      if (!signal.aborted) this.options.outages?.failed(broken.signal.reason, OPERATION);
    } catch (error) {
      if (!signal.aborted) this.options.outages?.failed(error, OPERATION);
    } finally {
      this.#isConnected = false;
      line.connection.stream.destroy();
    }
    return beats > 0;
  }
}

/** @returns whether all of the time has passed. */
async function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(ms, true, { signal }).catch(() => false);
}
