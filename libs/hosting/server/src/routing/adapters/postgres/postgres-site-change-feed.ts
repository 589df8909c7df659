import { type OutageLog } from '@homeport/platform/server/observability';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import type { SiteHostnames } from '@homeport/hosting/contracts';
import { SiteChangeFeed } from '../../application/site-directory.port';

/** The triggers of the schema `apps` notify on this channel: with the label of a site, or with an own domain. */
const CHANNEL = 'homeport_sites';

export interface SiteChangeFeedOptions {
  readonly url: string;
  readonly hostnames: SiteHostnames;
  /** Logs connection failures and recoveries. */
  readonly outages?: OutageLog;
}

/** Receives the changes of sites from PostgreSQL. */
export class PostgresSiteChangeFeed extends SiteChangeFeed {
  readonly #notifications: PostgresNotifications;
  readonly #hostnames: SiteHostnames;

  constructor({ url, hostnames, outages }: SiteChangeFeedOptions) {
    super();
    this.#hostnames = hostnames;
    this.#notifications = new PostgresNotifications({
      url,
      channel: CHANNEL,
      applicationName: 'homeport-edge-changes',
      outages,
    });
  }

  override get isConnected(): boolean {
    return this.#notifications.isConnected;
  }

  override listen(onChange: (hostname: string | undefined) => void, signal: AbortSignal): void {
    this.#notifications.listen(
      (payload) => onChange(payload?.includes('.') === false ? this.#hostnames.hostnameOf(payload) : payload),
      signal,
    );
  }
}
