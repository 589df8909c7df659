import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';
import type { DocumentStore } from './document-store.ts';

/** Creates the storage of one issuer in the shared `store`. */
export function fileAdapter(store: DocumentStore, issuerName: string): AdapterFactory {
  return (model) => new FileAdapter(store, `${issuerName}/${model}/`);
}

class FileAdapter implements Adapter {
  readonly #store: DocumentStore;
  readonly #prefix: string;

  constructor(store: DocumentStore, prefix: string) {
    this.#store = store;
    this.#prefix = prefix;
  }

  upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    return this.#store.put(this.#prefix + id, payload, expiresIn);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#store.find(this.#prefix + id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.#store.findFirst(this.#prefix, (payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return this.#store.findFirst(this.#prefix, (payload) => payload.userCode === userCode);
  }

  consume(id: string): Promise<void> {
    return this.#store.amend(this.#prefix + id, { consumed: Math.floor(Date.now() / 1000) });
  }

  destroy(id: string): Promise<void> {
    return this.#store.remove(this.#prefix + id);
  }

  revokeByGrantId(grantId: string): Promise<void> {
    return this.#store.removeAll(this.#prefix, (payload) => payload.grantId === grantId);
  }
}
