import type { OutageLog } from '@homeport/platform/server/observability';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { type RuntimeChange, RuntimeFeed } from '../../application/runtime-feed.port';

/** Runtimes and triggers notify on this channel with a kind, a colon and an id. */
const CHANNEL = 'homeport_runtime';
const PAYLOAD = /^(checked|state|log):(.+)$/;

export interface RuntimeFeedOptions {
  readonly url: string;
  /** Logs connection failures and recoveries. */
  readonly outages?: OutageLog;
}

/** Receives what runtimes report from PostgreSQL. One connection serves all subscribers. */
export class PostgresRuntimeFeed extends RuntimeFeed {
  readonly #notifications: PostgresNotifications;
  readonly #subscribers = new Set<(change: RuntimeChange) => void>();
  readonly #stop = new AbortController();

  constructor({ url, outages }: RuntimeFeedOptions) {
    super();
    const applicationName = 'homeport-runtime-feed';
    this.#notifications = new PostgresNotifications({ url, channel: CHANNEL, applicationName, outages });
  }

  override start(): void {
    this.#notifications.listen((payload) => this.#pass(payload ?? ''), this.#stop.signal);
  }

  override stop(): void {
    this.#stop.abort();
  }

  override subscribe(onChange: (change: RuntimeChange) => void): () => void {
    // Each subscription is distinct, even if two have the same function.
    const subscriber = (change: RuntimeChange) => onChange(change);
    this.#subscribers.add(subscriber);
    return () => void this.#subscribers.delete(subscriber);
  }

  #pass(payload: string): void {
    const [, kind, id] = PAYLOAD.exec(payload) ?? [];
    if (kind === undefined || id === undefined) return;
    for (const subscriber of [...this.#subscribers]) subscriber({ kind: kind as RuntimeChange['kind'], id });
  }
}
