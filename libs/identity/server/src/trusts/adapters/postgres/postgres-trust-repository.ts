import type { Queries } from '@homeport/platform/server/database';
import { LessThan } from 'typeorm';
import { UUID } from '../../../adapters/postgres/uuid';
import { TrustRepository } from '../../application/trust-repository.port';
import type { ExchangedSubjectToken } from '../../domain/exchanged-subject-token';
import type { TrustRecord } from '../../domain/trust-record';
import { ExchangedTokenEntity } from './exchanged-token.entity';
import { TrustEntity, type TrustRow } from './trust.entity';

/** Trusts in PostgreSQL. */
export class PostgresTrustRepository extends TrustRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add({ lastUsedAt, scopes, claims, ...trust }: TrustRecord): Promise<void> {
    const row: TrustRow = { ...trust, claims: { ...claims }, scopes: [...scopes], lastUsedAt: lastUsedAt ?? null };
    await this.queries.run((manager) => manager.insert(TrustEntity, row));
  }

  async lock(appId: string): Promise<void> {
    await this.queries.run((manager) =>
      manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`trusts of ${appId}`]),
    );
  }

  async list(organization: string, appId: string): Promise<readonly TrustRecord[]> {
    if (!UUID.test(appId)) return [];
    const [where, order] = [{ organization, appId }, { createdAt: 'DESC', id: 'DESC' } as const];
    return (await this.queries.run((manager) => manager.find(TrustEntity, { where, order }))).map(toRecord);
  }

  async findByIssuer(appId: string, issuer: string): Promise<readonly TrustRecord[]> {
    if (!UUID.test(appId)) return [];
    const [where, order] = [{ appId, issuer }, { createdAt: 'ASC', id: 'ASC' } as const];
    return (await this.queries.run((manager) => manager.find(TrustEntity, { where, order }))).map(toRecord);
  }

  async remove(organization: string, appId: string, id: string): Promise<TrustRecord | undefined> {
    if (!UUID.test(appId) || !UUID.test(id)) return undefined;
    return this.queries.transaction(async (manager) => {
      const where = { organization, appId, id };
      const row = await manager.findOne(TrustEntity, { where, lock: { mode: 'pessimistic_write' } });
      if (!row) return undefined;
      await manager.delete(TrustEntity, { id: row.id });
      return toRecord(row);
    });
  }

  async recordUse(id: string, at: Date): Promise<boolean> {
    const { affected } = await this.queries.run((manager) =>
      manager
        .createQueryBuilder()
        .update(TrustEntity)
        .set({ lastUsedAt: () => 'greatest(last_used_at, :at)' })
        .where({ id })
        .setParameter('at', at)
        .execute(),
    );
    return affected === 1;
  }

  async recordExchange({ digest, appId, expiresAt }: ExchangedSubjectToken): Promise<boolean> {
    const { raw } = await this.queries.run((manager) =>
      manager
        .createQueryBuilder()
        .insert()
        .into(ExchangedTokenEntity)
        .values({ digest, appId, expiresAt })
        .orIgnore()
        .returning('app_id')
        .execute(),
    );
    return (raw as unknown[]).length === 1;
  }

  async removeExpiredExchanges(before: Date): Promise<void> {
    await this.queries.run((manager) => manager.delete(ExchangedTokenEntity, { expiresAt: LessThan(before) }));
  }
}

function toRecord({ lastUsedAt, ...row }: TrustRow): TrustRecord {
  return { ...row, lastUsedAt: lastUsedAt ?? undefined };
}
