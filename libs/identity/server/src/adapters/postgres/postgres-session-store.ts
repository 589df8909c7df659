import type { Database } from '@homeport/platform/server/database';
import { type FindOptionsWhere, In, LessThan, LessThanOrEqual, type Repository } from 'typeorm';
import { type SessionMetadata, SessionStore, type StoredSession } from '../../application/session-store.port';
import type { SealedBox } from '../../domain/sealed-box';
import { hashOf } from '../../domain/session-handle';
import { SessionEntity, type SessionRow } from './session.entity';

/** Sessions in PostgreSQL: ids are hashed, tokens are encrypted. */
export class PostgresSessionStore extends SessionStore {
  readonly #rows: Repository<SessionRow>;

  constructor(
    private readonly database: Database,
    private readonly box: SealedBox,
  ) {
    super();
    this.#rows = database.source.getRepository(SessionEntity);
  }

  async add(session: StoredSession): Promise<void> {
    await this.database.run(() => this.#rows.insert(this.#rowOf(session)));
  }

  async find(id: string): Promise<StoredSession | undefined> {
    const row = await this.database.run(() => this.#rows.findOneBy({ idHash: hashOf(id) }));
    return row ? this.#sessionOf(id, row) : undefined;
  }

  async acquireRenewalLease(id: string, forMs: number): Promise<Date | undefined> {
    // A `Date` holds milliseconds, and the lease is compared by this value later.
    const end = `date_trunc('milliseconds', now()) + ${Math.trunc(forMs)} * interval '1 millisecond'`;
    const lease = await this.database.run(() =>
      this.#rows
        .createQueryBuilder()
        .update()
        .set({ renewalUntil: () => end })
        .where('id_hash = :idHash and (renewal_until is null or renewal_until < now())', { idHash: hashOf(id) })
        .returning('renewal_until')
        .execute(),
    );
    return (lease.raw as { renewal_until: Date }[])[0]?.renewal_until;
  }

  async replace(session: StoredSession, lease: Date): Promise<boolean> {
    const leased = { idHash: hashOf(session.id), renewalUntil: lease };
    const update = await this.database.run(() => this.#rows.update(leased, this.#rowOf(session)));
    return update.affected === 1;
  }

  async release(id: string, lease: Date): Promise<void> {
    const leased = { idHash: hashOf(id), renewalUntil: lease };
    await this.database.run(() => this.#rows.update(leased, { renewalUntil: null }));
  }

  async remove(id: string): Promise<StoredSession | undefined> {
    const row = await this.#removeRow({ idHash: hashOf(id) });
    return row ? this.#sessionOf(id, row) : undefined;
  }

  async listBySubject(subject: string): Promise<readonly SessionMetadata[]> {
    const rows = await this.database.run(() =>
      this.#rows.createQueryBuilder('s').where({ subject }).orderBy('s.lastUsedAt', 'DESC').getMany(),
    );
    return rows.map(({ idHash, device, createdAt, lastUsedAt }) => ({
      handle: idHash.toString('base64url'),
      device,
      createdAt,
      lastUsedAt,
    }));
  }

  async removeByHandle(subject: string, handle: string): Promise<Pick<StoredSession, 'refreshToken'> | undefined> {
    const row = await this.#removeRow({ idHash: Buffer.from(handle, 'base64url'), subject });
    return row && tokenIn(this.#refreshTokenOf(row));
  }

  async removeBySubject(subject: string): Promise<readonly Pick<StoredSession, 'refreshToken'>[]> {
    const rows = await this.database.transaction(async (manager) => {
      // Locked in one order, so that two calls for one person do not wait for each other.
      const found = await manager.find(SessionEntity, {
        where: { subject },
        order: { idHash: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      await manager.delete(SessionEntity, { idHash: In(found.map(({ idHash }) => idHash)) });
      return found;
    });
    return rows.map((row) => tokenIn(this.#refreshTokenOf(row)));
  }

  async recordUse(id: string, at: Date): Promise<void> {
    await this.database.run(() =>
      this.#rows.update({ idHash: hashOf(id), lastUsedAt: LessThan(at) }, { lastUsedAt: at }),
    );
  }

  async removeIdle(since: Date): Promise<void> {
    await this.database.run(() => this.#rows.delete({ lastUsedAt: LessThanOrEqual(since) }));
  }

  async #removeRow(which: FindOptionsWhere<SessionRow>): Promise<SessionRow | undefined> {
    // Locks the row, so that a concurrent renewal cannot change it between the read and the removal.
    return this.database.transaction(async (manager) => {
      const found = await manager.findOne(SessionEntity, { where: which, lock: { mode: 'pessimistic_write' } });
      if (found) await manager.delete(SessionEntity, { idHash: found.idHash });
      return found ?? undefined;
    });
  }

  #rowOf(session: StoredSession): SessionRow {
    const idHash = hashOf(session.id);
    const purpose = purposeOf(idHash);
    return {
      idHash,
      person: session.user,
      accessToken: this.box.seal(session.accessToken, purpose),
      accessExpiresAt: session.accessExpiresAt,
      refreshToken: session.refreshToken === undefined ? null : this.box.seal(session.refreshToken, purpose),
      createdAt: session.createdAt,
      lastUsedAt: session.lastUsedAt,
      device: session.device,
      renewalUntil: null,
    };
  }

  #sessionOf(id: string, row: SessionRow): StoredSession | undefined {
    const accessToken = this.box.open(row.accessToken, purposeOf(row.idHash));
    if (accessToken === undefined) return undefined;
    const refreshToken = this.#refreshTokenOf(row);
    return {
      id,
      user: row.person,
      accessToken,
      accessExpiresAt: row.accessExpiresAt,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      createdAt: row.createdAt,
      lastUsedAt: row.lastUsedAt,
      device: row.device,
    };
  }

  #refreshTokenOf({ idHash, refreshToken }: SessionRow): string | undefined {
    return refreshToken === null ? undefined : this.box.open(refreshToken, purposeOf(idHash));
  }
}

function tokenIn(refreshToken: string | undefined): Pick<StoredSession, 'refreshToken'> {
  return refreshToken === undefined ? {} : { refreshToken };
}

function purposeOf(idHash: Buffer): string {
  return `session ${idHash.toString('base64url')}`;
}
