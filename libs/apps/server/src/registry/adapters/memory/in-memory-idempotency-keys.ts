import {
  IdempotencyKeys,
  type IdempotentRequest,
  type KeyState,
  type StoredResponse,
} from '../../application/idempotency-keys.port';
import { InMemoryApps } from '../../../shared/adapters/memory/in-memory-apps';

/** Idempotency keys in memory, for tests. They end with the process, so there is no interrupted request to resume. */
export class InMemoryIdempotencyKeys extends IdempotencyKeys {
  constructor(private readonly store = new InMemoryApps()) {
    super();
  }

  async begin({ organization, key, fingerprint }: IdempotentRequest): Promise<KeyState> {
    const id = idOf(organization, key);
    const found = this.store.idempotencyKeys.get(id);
    if (!found) {
      this.store.idempotencyKeys.set(id, { fingerprint });
      return { kind: 'new' };
    }
    if (found.fingerprint !== fingerprint) return { kind: 'mismatch' };
    return found.response ? { kind: 'completed', response: found.response } : { kind: 'running' };
  }

  async linkApp(organization: string, key: string, appId: string): Promise<void> {
    const id = idOf(organization, key);
    const found = this.store.idempotencyKeys.get(id);
    if (found) this.store.idempotencyKeys.set(id, { ...found, appId });
  }

  async finish({ organization, key }: IdempotentRequest, { status, body }: StoredResponse): Promise<void> {
    const id = idOf(organization, key);
    const found = this.store.idempotencyKeys.get(id);
    if (!found || found.response || (status !== 201 && found.appId !== undefined)) return;
    this.store.idempotencyKeys.set(id, { ...found, response: { status, body } });
  }

  async release({ organization, key }: IdempotentRequest): Promise<void> {
    const id = idOf(organization, key);
    const found = this.store.idempotencyKeys.get(id);
    if (found && !found.response && found.appId === undefined) this.store.idempotencyKeys.delete(id);
  }

  async removeExpired(): Promise<void> {
    return Promise.resolve();
  }
}

function idOf(organization: string, key: string): string {
  return `${organization}\n${key}`;
}
