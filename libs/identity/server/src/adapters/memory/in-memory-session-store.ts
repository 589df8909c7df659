import { type SessionMetadata, SessionStore, type StoredSession } from '../../application/session-store.port';
import { handleOf } from '../../domain/session-handle';

interface StoredEntry {
  readonly session: StoredSession;
  readonly claimedUntil: number;
}

/** Sessions in memory, for tests and for trying modules out. */
export class InMemorySessionStore extends SessionStore {
  readonly #held = new Map<string, StoredEntry>();

  /** @param now milliseconds since the epoch. */
  constructor(private readonly now: () => number = () => Date.now()) {
    super();
  }

  async add(session: StoredSession): Promise<void> {
    this.#held.set(session.id, { session, claimedUntil: -Infinity });
  }

  async find(id: string): Promise<StoredSession | undefined> {
    return this.#held.get(id)?.session;
  }

  async acquireRenewalLease(id: string, forMs: number): Promise<Date | undefined> {
    const held = this.#held.get(id);
    if (!held || held.claimedUntil >= this.now()) return undefined;
    const claimedUntil = this.now() + forMs;
    this.#held.set(id, { ...held, claimedUntil });
    return new Date(claimedUntil);
  }

  async replace(session: StoredSession, claim: Date): Promise<boolean> {
    if (this.#held.get(session.id)?.claimedUntil !== claim.getTime()) return false;
    await this.add(session);
    return true;
  }

  async release(id: string, claim: Date): Promise<void> {
    const held = this.#held.get(id);
    if (held?.claimedUntil === claim.getTime()) await this.add(held.session);
  }

  async remove(id: string): Promise<StoredSession | undefined> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    return held?.session;
  }

  async listBySubject(subject: string): Promise<readonly SessionMetadata[]> {
    return [...this.#held.values()]
      .map(({ session }) => session)
      .filter(({ user }) => user.sub === subject)
      .map(({ id, device, createdAt, lastUsedAt }) => ({ handle: handleOf(id), device, createdAt, lastUsedAt }))
      .toSorted((a, b) => b.lastUsedAt.getTime() - a.lastUsedAt.getTime());
  }

  async removeByHandle(subject: string, handle: string): Promise<StoredSession | undefined> {
    for (const { session } of this.#held.values()) {
      if (handleOf(session.id) === handle && session.user.sub === subject) return this.remove(session.id);
    }
    return undefined;
  }

  async removeIdle(since: Date): Promise<void> {
    for (const { session } of this.#held.values()) {
      if (session.lastUsedAt <= since) this.#held.delete(session.id);
    }
  }
}
