import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, type DatabaseOptions, migrate } from '@homeport/platform/server/database';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { accountRepositoryContract } from '../../testing/account-repository.contract';
import { auditTrailContract } from '../../testing/audit-trail.contract';
import { auditedPeople } from './audited-people';
import { AccountEntity } from './account.entity';
import { AuditEventEntity } from './audit-event.entity';
import { Audit1764000000100 } from './migrations/1764000000100-audit';
import { Accounts1764500000100 } from './migrations/1764500000100-accounts';
import { AuditActors1764900000110 } from './migrations/1764900000110-audit-actors';
import { AuditedPeople1766200000400 } from './migrations/1766200000400-audited-people';
import { PostgresAccountRepository } from './postgres-account-repository';
import { PostgresAuditTrail } from './postgres-audit-trail';

describe('organizations in PostgreSQL', () => {
  let fresh: FreshDatabase;
  let database: Database;

  const options = (...more: readonly (typeof Accounts1764500000100)[]): DatabaseOptions => ({
    url: fresh.url,
    poolSize: 4,
    entities: [AccountEntity, AuditEventEntity],
    migrations: [Audit1764000000100, AuditActors1764900000110, AuditedPeople1766200000400, ...more],
  });

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(options());
    database = await createDatabase(options()).open();
  });

  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  it('gives an organization that is known already an account since its first recorded action', async () => {
    const auditTrail = new PostgresAuditTrail(database);
    const actor = { issuer: 'https://sign-in.example', subject: 'ada' };
    const event = { actor, target: 'app', detail: {} };
    await auditTrail.record({ ...event, organization: 'northwind', action: 'apps.registered' });
    await auditTrail.record({ ...event, organization: 'northwind', action: 'apps.deleted' });
    await auditTrail.record({ ...event, organization: 'homeport', action: 'pricing.published' });
    await migrate(options(Accounts1764500000100));
    const accounts = new PostgresAccountRepository(database);
    const [, first] = await auditTrail.list('northwind', { limit: 10 });
    expect(await accounts.find('northwind')).toEqual({ organization: 'northwind', createdAt: first?.at });
    expect(await accounts.find('homeport')).toBeUndefined();
  });

  it('lists each person with the organization of the last action', async () => {
    const record = (subject: string, organization: string, action: string) =>
      new PostgresAuditTrail(database).record({
        ...{ actor: { issuer: 'https://people.example', subject }, organization, action },
        ...{ target: 'app', detail: {} },
      });
    await record('ada', 'globex', 'apps.registered');
    await record('ada', 'northwind', 'apps.registered');
    await record('ada', 'homeport', 'pricing.published');
    await record('ben', 'globex', 'apps.registered');
    await record('cleo', 'homeport', 'pricing.published');
    const found: string[] = [];
    const query = <Row>(text: string, values: readonly unknown[] = []) =>
      database.run((manager) => manager.query<Row[]>(text, [...values]));
    for await (const page of auditedPeople(query, 1)) {
      const people = page.filter(({ issuer }) => issuer.includes('people'));
      found.push(...people.map(({ subject, organization }) => `${subject} ${organization}`));
    }
    expect(found).toEqual(['ada northwind', 'ben globex']);
  });

  accountRepositoryContract(PostgresAccountRepository.name, () => new PostgresAccountRepository(database));
  auditTrailContract(PostgresAuditTrail.name, () => new PostgresAuditTrail(database));
});
