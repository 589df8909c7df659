import { generateKeyPairSync } from 'node:crypto';
import type { Database } from '@homeport/platform/server/database';
import { acmeAccountContext, type SecretBox } from '@homeport/platform/server/secrets';
import { type AcmeAccount, AcmeAccounts } from '../../application/acme-accounts.port';
import { PACE_WINDOW_MS, paceDelay } from '../../domain/order-pace';

interface AccountRow {
  readonly url: string | null;
  readonly sealed_key: Buffer;
}

/** The accounts in PostgreSQL, with sealed keys. */
export class PostgresAcmeAccounts extends AcmeAccounts {
  constructor(
    private readonly database: Database,
    private readonly box: SecretBox,
  ) {
    super();
  }

  async get(directory: string): Promise<AcmeAccount> {
    const row = (await this.#find(directory)) ?? (await this.#create(directory));
    const privateKey = this.box.open(row.sealed_key, acmeAccountContext(directory));
    return { directory, url: row.url ?? undefined, privateKey };
  }

  async setUrl(directory: string, url: string | undefined): Promise<void> {
    await this.database.run((manager) =>
      manager.query('update apps.acme_accounts set url = $2 where directory = $1', [directory, url ?? null]),
    );
  }

  async reserveOrder(directory: string, now: Date): Promise<number> {
    return this.database.transaction(async (manager) => {
      await manager.query('select from apps.acme_accounts where directory = $1 for update', [directory]);
      await manager.query('delete from apps.acme_order_starts where directory = $1 and started_at < $2', [
        directory,
        new Date(now.getTime() - PACE_WINDOW_MS),
      ]);
      const starts = await manager.query<{ started_at: Date }[]>(
        'select started_at from apps.acme_order_starts where directory = $1',
        [directory],
      );
      const delay = paceDelay(
        starts.map(({ started_at }) => started_at),
        now,
      );
      if (delay > 0) return delay;
      await manager.query('insert into apps.acme_order_starts (directory, started_at) values ($1, $2)', [
        directory,
        now,
      ]);
      return 0;
    });
  }

  async #find(directory: string): Promise<AccountRow | undefined> {
    const [row] = await this.database.run((manager) =>
      manager.query<AccountRow[]>('select url, sealed_key from apps.acme_accounts where directory = $1', [directory]),
    );
    return row;
  }

  async #create(directory: string): Promise<AccountRow> {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const sealed = this.box.seal(
      privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      acmeAccountContext(directory),
    );
    // Another instance may have created it meanwhile: then its key counts.
    await this.database.run((manager) =>
      manager.query('insert into apps.acme_accounts (directory, sealed_key) values ($1, $2) on conflict do nothing', [
        directory,
        sealed,
      ]),
    );
    return (await this.#find(directory)) as AccountRow;
  }
}
