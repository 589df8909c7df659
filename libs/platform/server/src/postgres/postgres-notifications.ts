import { setTimeout } from 'node:timers/promises';
import { Client } from 'pg';
import { CodedFailure } from '../observability/failure-cause';
import type { OutageLog } from '../observability/outage-log';

/** A dead connection looks like an idle one, so a heartbeat query tests it. */
const HEARTBEAT_MS = 500;
const RESPONSE_TIMEOUT_MS = 1_000;
const RETRY_MS = 300;
const OPERATION = 'listen';

/** Receives the payload of a notification; undefined when notifications may have been missed. */
export type NotificationListener = (payload: string | undefined) => void;

export interface PostgresNotificationsOptions {
  readonly url: string;
  /** The channel of `pg_notify`, or several: letters, digits and underscores. */
  readonly channel: string | readonly string[];
  /** The name of the connection in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Logs connection failures and recoveries. */
  readonly outages?: OutageLog | undefined;
}

/** Receives the notifications of its channels over a dedicated connection. */
export class PostgresNotifications {
  #isConnected = false;

  constructor(private readonly options: PostgresNotificationsOptions) {}

  /** Whether all notifications are received at this moment. */
  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Listens until the signal is aborted, and reconnects after every failure. */
  listen(onNotification: NotificationListener, signal: AbortSignal): void {
    void this.#keepListening(onNotification, signal);
  }

  async #keepListening(onNotification: NotificationListener, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const wasStable = await this.#listenOnce(onNotification, signal);
      // Reconnects at once after a stable connection breaks.
      if (!wasStable) await sleep(RETRY_MS, signal);
    }
  }

  /** Listens until the connection breaks. @returns whether at least one heartbeat succeeded. */
  async #listenOnce(onNotification: NotificationListener, signal: AbortSignal): Promise<boolean> {
    const { url, channel, applicationName, outages } = this.options;
    const client = new Client({
      connectionString: url,
      application_name: applicationName,
      connectionTimeoutMillis: RESPONSE_TIMEOUT_MS,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    let heartbeats = 0;
    const broken = new AbortController();
    const stopSignal = AbortSignal.any([signal, broken.signal]);
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new CodedFailure('connection-terminated', 'PostgreSQL closed the connection')));
    client.on('notification', ({ payload = '' }) => onNotification(payload));
    try {
      await client.connect();
      for (const each of [channel].flat()) await client.query(`listen ${each}`);
      this.#isConnected = true;
      outages?.succeeded(OPERATION);
      onNotification(undefined);
      for (; await sleep(HEARTBEAT_MS, stopSignal); heartbeats += 1) await client.query('select 1');
      if (!signal.aborted) outages?.failed(broken.signal.reason, OPERATION);
    } catch (error) {
      if (!signal.aborted) outages?.failed(error, OPERATION);
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
