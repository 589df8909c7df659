import type { Queries } from '@homeport/platform/server/database';
import { IsNull, LessThan, type FindOptionsWhere } from 'typeorm';
import { UUID } from '../../../adapters/postgres/uuid';
import { TokenRepository } from '../../application/token-repository.port';
import type { TokenOwner, TokenRecord } from '../../domain/token-record';
import { TokenEntity, type TokenRow } from './token.entity';

/** Tokens in PostgreSQL. */
export class PostgresTokenRepository extends TokenRepository {
  constructor(private readonly queries: Queries) {
    super();
  }

  async add(token: TokenRecord): Promise<void> {
    await this.queries.run((manager) => manager.insert(TokenEntity, toRow(token)));
  }

  async findByHash(hash: Buffer): Promise<TokenRecord | undefined> {
    const row = await this.queries.run((manager) => manager.findOneBy(TokenEntity, { hash }));
    return row ? toRecord(row) : undefined;
  }

  async lock(owner: TokenOwner): Promise<void> {
    const name = `tokens of ${JSON.stringify(ownedBy(owner))}`;
    await this.queries.run((manager) => manager.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]));
  }

  async list(owner: TokenOwner): Promise<readonly TokenRecord[]> {
    const order = { createdAt: 'DESC', id: 'DESC' } as const;
    const rows = await this.queries.run((manager) => manager.find(TokenEntity, { where: ownedBy(owner), order }));
    return rows.map(toRecord);
  }

  async remove(owner: TokenOwner, id: string): Promise<TokenRecord | undefined> {
    if (!UUID.test(id)) return undefined;
    return this.queries.transaction(async (manager) => {
      const where = { ...ownedBy(owner), id };
      const row = await manager.findOne(TokenEntity, { where, lock: { mode: 'pessimistic_write' } });
      if (!row) return undefined;
      await manager.delete(TokenEntity, { id: row.id });
      return toRecord(row);
    });
  }

  async removeByTrust(trustId: string): Promise<void> {
    await this.queries.run((manager) => manager.delete(TokenEntity, { trustId }));
  }

  async removeExpiredAccessTokens(before: Date): Promise<void> {
    await this.queries.run((manager) => manager.delete(TokenEntity, { kind: 'ci', expiresAt: LessThan(before) }));
  }

  async recordUse(id: string, at: Date): Promise<void> {
    await this.queries.run((manager) =>
      manager
        .createQueryBuilder()
        .update(TokenEntity)
        .set({ lastUsedAt: at })
        .where([
          { id, lastUsedAt: IsNull() },
          { id, lastUsedAt: LessThan(at) },
        ])
        .execute(),
    );
  }
}

function ownedBy(owner: TokenOwner): FindOptionsWhere<TokenRow> {
  if (owner.kind === 'organization') return { kind: owner.kind, organization: owner.organization };
  return { kind: owner.kind, issuer: owner.issuer, subject: owner.subject };
}

function toRow({
  organization,
  appId,
  prefix,
  trustId,
  expiresAt,
  lastUsedAt,
  scopes,
  ...rest
}: TokenRecord): TokenRow {
  return {
    ...rest,
    scopes: [...scopes],
    organization: organization ?? null,
    appId: appId ?? null,
    prefix: prefix ?? null,
    trustId: trustId ?? null,
    expiresAt: expiresAt ?? null,
    lastUsedAt: lastUsedAt ?? null,
  };
}

function toRecord({ organization, appId, prefix, trustId, expiresAt, lastUsedAt, ...rest }: TokenRow): TokenRecord {
  return {
    ...rest,
    organization: organization ?? undefined,
    appId: appId ?? undefined,
    prefix: prefix ?? undefined,
    trustId: trustId ?? undefined,
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
  };
}
