import type { AdapterPayload } from 'oidc-provider';
import { z } from 'zod';
import { findPrivateJson, writePrivateJson } from '../private-file.ts';

interface Entry {
  readonly payload: AdapterPayload;
  /** Epoch milliseconds; absent for entries without expiry. */
  readonly expiresAt?: number | undefined;
}

const snapshotFile = z.object({
  version: z.literal(1),
  entries: z.record(
    z.string(),
    z.object({ payload: z.custom<AdapterPayload>(isRecord), expiresAt: z.number().optional() }),
  ),
});

/**
 * Sessions, grants and tokens of all issuers, in memory and in one file. A change is on disk when its promise resolves,
 * so confirmed changes survive a kill. Changes that arrive during a write share the next one.
 */
export class DocumentStore {
  readonly #path: string;
  readonly #entries: Map<string, Entry>;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(path: string, entries: Map<string, Entry>) {
    this.#path = path;
    this.#entries = entries;
  }

  /** @throws when the file exists and has another format. */
  static async open(path: string): Promise<DocumentStore> {
    const snapshot = await findPrivateJson(path, snapshotFile);
    const store = new DocumentStore(path, new Map(Object.entries(snapshot?.entries ?? {})));
    store.#dropExpired();
    return store;
  }

  find(key: string): AdapterPayload | undefined {
    const entry = this.#entries.get(key);
    return entry && !hasExpired(entry) ? structuredClone(entry.payload) : undefined;
  }

  findFirst(prefix: string, matches: (payload: AdapterPayload) => boolean): AdapterPayload | undefined {
    const key = this.#keys(prefix, matches).next().value;
    return key === undefined ? undefined : this.find(key);
  }

  /** @param expiresIn seconds. */
  put(key: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const expiresAt = expiresIn === undefined ? undefined : Date.now() + expiresIn * 1000;
    this.#entries.set(key, { payload: structuredClone(payload), expiresAt });
    return this.#save();
  }

  /** Changes some fields and keeps the expiry; ignores an unknown key. */
  async amend(key: string, change: Partial<AdapterPayload>): Promise<void> {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.set(key, { ...entry, payload: { ...entry.payload, ...change } });
    await this.#save();
  }

  async remove(key: string): Promise<void> {
    if (this.#entries.delete(key)) await this.#save();
  }

  async removeAll(prefix: string, matches: (payload: AdapterPayload) => boolean): Promise<void> {
    const keys = [...this.#keys(prefix, matches)];
    for (const key of keys) this.#entries.delete(key);
    if (keys.length > 0) await this.#save();
  }

  /** Resolves when all changes are written. */
  async settled(): Promise<void> {
    await (this.#next ?? this.#writing);
  }

  *#keys(prefix: string, matches: (payload: AdapterPayload) => boolean): Generator<string, undefined> {
    for (const [key, entry] of this.#entries) {
      if (key.startsWith(prefix) && !hasExpired(entry) && matches(entry.payload)) yield key;
    }
  }

  #save(): Promise<void> {
    this.#next ??= this.#saveAfter(this.#writing);
    return this.#next;
  }

  async #saveAfter(earlier: Promise<void>): Promise<void> {
    // A failed earlier write has already rejected its callers; this one writes everything again.
    await Promise.allSettled([earlier]);
    this.#writing = this.#next ?? this.#writing;
    this.#next = undefined;
    this.#dropExpired();
    await writePrivateJson(this.#path, { version: 1, entries: Object.fromEntries(this.#entries) });
  }

  #dropExpired(): void {
    for (const [key, entry] of this.#entries) {
      if (hasExpired(entry)) this.#entries.delete(key);
    }
  }
}

function hasExpired(entry: Entry): boolean {
  return entry.expiresAt !== undefined && entry.expiresAt <= Date.now();
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
