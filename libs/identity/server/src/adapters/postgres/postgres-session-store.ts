import { createHash } from 'node:crypto';
import { inDatabase } from '@homeport/platform/server';
import type { DataSource, Repository } from 'typeorm';
import { SessionStore, type StoredSession } from '../../application/session-store.port';
import type { SealedBox } from '../../domain/sealed-box';
import { SessionEntity, type SessionRow } from './session.entity';

/** Sessions in PostgreSQL: ids hashed, tokens sealed. */
export class PostgresSessionStore extends SessionStore {
  readonly #rows: Repository<SessionRow>;

  constructor(
    database: DataSource,
    private readonly box: SealedBox,
  ) {
    super();
    this.#rows = database.getRepository(SessionEntity);
  }

  async add(session: StoredSession): Promise<void> {
    await inDatabase(() => this.#rows.insert(this.#rowOf(session)));
  }

  async find(id: string): Promise<StoredSession | undefined> {
    const row = await inDatabase(() => this.#rows.findOneBy({ idHash: hashOf(id) }));
    return row ? this.#sessionOf(id, row) : undefined;
  }

  async claimRenewal(id: string, forMs: number): Promise<boolean> {
    const claim = await inDatabase(() =>
      this.#rows
        .createQueryBuilder()
        .update()
        .set({ renewalUntil: () => `now() + ${Math.trunc(forMs)} * interval '1 millisecond'` })
        .where('id_hash = :idHash and (renewal_until is null or renewal_until < now())', { idHash: hashOf(id) })
        .execute(),
    );
    return claim.affected === 1;
  }

  async replace(session: StoredSession): Promise<boolean> {
    const update = await inDatabase(() => this.#rows.update({ idHash: hashOf(session.id) }, this.#rowOf(session)));
    return update.affected === 1;
  }

  async release(id: string): Promise<void> {
    await inDatabase(() => this.#rows.update({ idHash: hashOf(id) }, { renewalUntil: null }));
  }

  async remove(id: string): Promise<StoredSession | undefined> {
    const idHash = hashOf(id);
    // Locked, so that what is answered is what was removed: a renewal under way must not slip in between.
    const row = await inDatabase(() =>
      this.#rows.manager.transaction(async (manager) => {
        const found = await manager.findOne(SessionEntity, { where: { idHash }, lock: { mode: 'pessimistic_write' } });
        if (found) await manager.delete(SessionEntity, { idHash });
        return found;
      }),
    );
    return row ? this.#sessionOf(id, row) : undefined;
  }

  #rowOf(session: StoredSession): SessionRow {
    const purpose = purposeOf(session.id);
    return {
      idHash: hashOf(session.id),
      person: session.user,
      accessToken: this.box.seal(session.accessToken, purpose),
      accessExpiresAt: session.accessExpiresAt,
      refreshToken: session.refreshToken === undefined ? null : this.box.seal(session.refreshToken, purpose),
      createdAt: session.createdAt,
      renewalUntil: null,
    };
  }

  #sessionOf(id: string, row: SessionRow): StoredSession | undefined {
    const accessToken = this.box.open(row.accessToken, purposeOf(id));
    if (accessToken === undefined) return undefined;
    const refreshToken = row.refreshToken === null ? undefined : this.box.open(row.refreshToken, purposeOf(id));
    return {
      id,
      user: row.person,
      accessToken,
      accessExpiresAt: row.accessExpiresAt,
      ...(refreshToken === undefined ? {} : { refreshToken }),
      createdAt: row.createdAt,
    };
  }
}

function hashOf(id: string): Buffer {
  return createHash('sha256').update(id).digest();
}

function purposeOf(id: string): string {
  return `session ${hashOf(id).toString('base64url')}`;
}
