import { type SessionMetadata, SessionStore, type StoredSession } from '../../application/session-store.port';
import { handleOf } from '../../domain/session-handle';

interface StoredEntry {
  readonly session: StoredSession;
  readonly leaseUntil: number;
}

/** Sessions in memory, for tests and experiments. */
export class InMemorySessionStore extends SessionStore {
  readonly #entries = new Map<string, StoredEntry>();

  /** @param now milliseconds since the epoch. */
  constructor(private readonly now: () => number = () => Date.now()) {
    super();
  }

  async add(session: StoredSession): Promise<void> {
    this.#entries.set(session.id, { session, leaseUntil: -Infinity });
  }

  async find(id: string): Promise<StoredSession | undefined> {
    return this.#entries.get(id)?.session;
  }

  async acquireRenewalLease(id: string, forMs: number): Promise<Date | undefined> {
    const entry = this.#entries.get(id);
    if (!entry || entry.leaseUntil >= this.now()) return undefined;
    const leaseUntil = this.now() + forMs;
    this.#entries.set(id, { ...entry, leaseUntil });
    return new Date(leaseUntil);
  }

  async replace(session: StoredSession, lease: Date): Promise<boolean> {
    if (this.#entries.get(session.id)?.leaseUntil !== lease.getTime()) return false;
    await this.add(session);
    return true;
  }

  async release(id: string, lease: Date): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry?.leaseUntil === lease.getTime()) await this.add(entry.session);
  }

  async remove(id: string): Promise<StoredSession | undefined> {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    return entry?.session;
  }

  async listBySubject(subject: string): Promise<readonly SessionMetadata[]> {
    return [...this.#entries.values()]
      .map(({ session }) => session)
      .filter(({ user }) => user.sub === subject)
      .map(({ id, device, createdAt, lastUsedAt }) => ({ handle: handleOf(id), device, createdAt, lastUsedAt }))
      .toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
  }

  async removeByHandle(subject: string, handle: string): Promise<StoredSession | undefined> {
    for (const { session } of this.#entries.values()) {
      if (handleOf(session.id) === handle && session.user.sub === subject) return this.remove(session.id);
    }
    return undefined;
  }

  async removeBySubject(subject: string): Promise<readonly StoredSession[]> {
    const removed = [...this.#entries.values()]
      .map(({ session }) => session)
      .filter(({ user }) => user.sub === subject);
    for (const { id } of removed) this.#entries.delete(id);
    return removed;
  }

  async recordUse(id: string, at: Date): Promise<void> {
    const entry = this.#entries.get(id);
    if (!entry || entry.session.lastUsedAt >= at) return;
    this.#entries.set(id, { ...entry, session: { ...entry.session, lastUsedAt: at } });
  }

  async removeIdle(since: Date): Promise<void> {
    for (const { session } of this.#entries.values()) {
      if (session.lastUsedAt <= since) this.#entries.delete(session.id);
    }
  }
}
