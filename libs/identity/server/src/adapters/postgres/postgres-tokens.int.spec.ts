import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { identityUnitOfWorkContract } from '../../testing/identity-unit-of-work.contract';
import { newToken } from '../../testing/token-fixtures';
import { tokenRepositoryContract } from '../../testing/token-repository.contract';
import { trustRepositoryContract } from '../../testing/trust-repository.contract';
import { PostgresTokenRepository } from '../../tokens/adapters/postgres/postgres-token-repository';
import { TokenEntity } from '../../tokens/adapters/postgres/token.entity';
import { ExchangedTokenEntity } from '../../trusts/adapters/postgres/exchanged-token.entity';
import { PostgresTrustRepository } from '../../trusts/adapters/postgres/postgres-trust-repository';
import { TrustEntity } from '../../trusts/adapters/postgres/trust.entity';
import { Sessions1763600000100 } from './migrations/1763600000100-sessions';
import { Tokens1764900000100 } from './migrations/1764900000100-tokens';
import { ExchangedTokens1766000000400 } from './migrations/1766000000400-exchanged-tokens';
import { PostgresIdentityUnitOfWork } from './postgres-identity-unit-of-work';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  const options: DatabaseOptions = {
    url: fresh.url,
    poolSize: 4,
    entities: [TokenEntity, TrustEntity, ExchangedTokenEntity],
    migrations: [Sessions1763600000100, Tokens1764900000100, ExchangedTokens1766000000400],
  };
  await migrate(options);
  database = await createDatabase(options).open();
  await database.source.query('create table events (target text)');
});

afterAll(async () => {
  await database?.close();
  await fresh?.drop();
});

tokenRepositoryContract(PostgresTokenRepository.name, () => new PostgresTokenRepository(database));
trustRepositoryContract(PostgresTrustRepository.name, () => new PostgresTrustRepository(database));
identityUnitOfWorkContract(PostgresIdentityUnitOfWork.name, () => ({
  unitOfWork: new PostgresIdentityUnitOfWork(database, (queries) => ({
    // Stands in for the audit trail, which belongs to another domain.
    record: ({ target }) => queries.run((manager) => manager.query('insert into events values ($1)', [target])),
  })),
  tokens: new PostgresTokenRepository(database),
  recordedTargets: async () =>
    (await database.source.query<{ target: string }[]>('select target from events')).map(({ target }) => target),
}));

describe('tokens at rest', () => {
  it('contain no secret', async () => {
    const { secret, token } = newToken({ name: 'at rest' });
    await new PostgresTokenRepository(database).add(token);
    const [dump] = await database.source.query<{ text: string }[]>(
      'select string_agg(row_to_json(t)::text, chr(10)) as text from identity.tokens t',
    );
    expect(dump?.text).toContain('at rest');
    expect(dump?.text).not.toContain(secret.slice(3));
    expect(dump?.text).not.toContain(Buffer.from(secret).toString('hex'));
  });
});
