import { generateKeyPairSync } from 'node:crypto';
import { type AcmeAccount, AcmeAccounts } from '../../application/acme-accounts.port';
import { paceDelay } from '../../domain/order-pace';

/** The accounts in memory, for tests. */
export class InMemoryAcmeAccounts extends AcmeAccounts {
  readonly #accounts = new Map<string, AcmeAccount>();
  readonly #starts = new Map<string, readonly Date[]>();

  async get(directory: string): Promise<AcmeAccount> {
    const account = this.#accounts.get(directory) ?? { directory, url: undefined, privateKey: newKey() };
    this.#accounts.set(directory, account);
    return account;
  }

  async setUrl(directory: string, url: string | undefined): Promise<void> {
    this.#accounts.set(directory, { ...(await this.get(directory)), url });
  }

  async reserveOrder(directory: string, now: Date): Promise<number> {
    const starts = this.#starts.get(directory) ?? [];
    const delay = paceDelay(starts, now);
    if (delay === 0) this.#starts.set(directory, [...starts, now]);
    return delay;
  }
}

function newKey(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
}
