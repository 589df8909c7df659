import { type OutageLog } from '@homeport/platform/server/observability';
import { PostgresNotifications } from '@homeport/platform/server/postgres';
import { CertificateChangeFeed } from '../../application/certificate-directory.port';

/** With the names of a changed certificate, and with a changed domain or the label of a changed site. */
const CHANNELS = ['homeport_certificates', 'homeport_sites'];

/** Receives the changes of certificates and domains from PostgreSQL. */
export class PostgresCertificateChangeFeed extends CertificateChangeFeed {
  readonly #notifications: PostgresNotifications;

  /** @param outages logs connection failures and recoveries. */
  constructor(url: string, outages?: OutageLog) {
    super();
    this.#notifications = new PostgresNotifications({
      url,
      channel: CHANNELS,
      applicationName: 'homeport-edge-certificates',
      outages,
    });
  }

  override get isConnected(): boolean {
    return this.#notifications.isConnected;
  }

  override listen(onChange: (name: string | undefined) => void, signal: AbortSignal): void {
    this.#notifications.listen((payload) => {
      // A label of the platform domain: its certificate does not depend on the site.
      if (payload?.includes('.') !== false) onChange(payload);
    }, signal);
  }
}
