import type { OutageLog } from '@homeport/platform/server/observability';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { type AppChange, AppChangeFeed } from '../../application/app-change-feed.port';

/** The triggers of `apps.apps`, `apps.deploys` and `apps.domain_claims` notify on this channel with an `AppChange` as JSON. */
const CHANNEL = 'homeport_app_changes';

export interface AppChangeFeedOptions {
  readonly url: string;
  /** Logs connection failures and recoveries. */
  readonly outages?: OutageLog;
}

/** Receives the changes of apps and domains from PostgreSQL. */
export class PostgresAppChangeFeed extends AppChangeFeed {
  readonly #notifications: PostgresNotifications;

  constructor({ url, outages }: AppChangeFeedOptions) {
    super();
    const applicationName = 'homeport-app-changes';
    this.#notifications = new PostgresNotifications({ url, channel: CHANNEL, applicationName, outages });
  }

  override listen(onChange: (change: AppChange | undefined) => void, signal: AbortSignal): void {
    this.#notifications.listen(
      (payload) => onChange(payload === undefined ? undefined : (JSON.parse(payload) as AppChange)),
      signal,
    );
  }
}
