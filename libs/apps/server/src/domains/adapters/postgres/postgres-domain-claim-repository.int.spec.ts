import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database, Queries } from '@homeport/platform/server/database';
import type { EntityManager } from 'typeorm';
import type { JobQueue } from '@homeport/platform/server/jobs';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { domainClaim, domainClaimsContract } from '../../../testing/domain-claims.contract';
import { PostgresDomainClaimRepository } from './postgres-domain-claim-repository';

describe('PostgresDomainClaimRepository', () => {
  let opened: AppsDatabase;
  let database: Database;
  let jobs: JobQueue;
  const open = () => new PostgresAppsUnitOfWork(database, jobs);

  beforeAll(async () => {
    opened = await openAppsDatabase();
    ({ database, jobs } = opened);
  });
  afterAll(() => opened.close());

  domainClaimsContract(PostgresDomainClaimRepository.name, open);

  it('finds the due claims among 10,000 by their index', async () => {
    await database.source.query(`
      insert into apps.domain_claims (id, organization, kind, name, registrable_domain, token, created_at, routing,
        certificate, is_primary, price_usd, card_version, next_check_at, records)
      select gen_random_uuid(), 'many', 'hostname', 'name-' || n || '.many.test', 'many.test', '', now(), 'here', 'none',
        false, 10, '1', now() + n * interval '8 seconds', '[]' from generate_series(1, 10000) n`);
    await database.source.query('analyze apps.domain_claims');
    const plans: string[] = [];
    const repository = new PostgresDomainClaimRepository({
      run: (work) =>
        database.run((manager) => {
          const query = async (sql: string, values: unknown[]) => {
            const [row] = await manager.query<{ readonly 'QUERY PLAN': unknown }[]>(
              `explain (format json) ${sql}`,
              values,
            );
            plans.push(JSON.stringify(row?.['QUERY PLAN']));
            return [[], 0];
          };
          return work({ query, findBy: async () => [] } as unknown as EntityManager);
        }),
    } as Queries);
    expect(await repository.acquireDue(60_000, 20)).toEqual([]);
    expect(plans[0]).toContain('domain_claims_due_idx');
    expect(plans[0]).toMatch(/"Index Cond":"\(next_check_at <= statement_timestamp/);
    expect(plans[0]).not.toContain('Seq Scan');
    await database.source.query(`delete from apps.domain_claims where organization = 'many'`);
  });

  it('keeps the claim of a deleted app', async () => {
    const member = memberOf('deleted-app');
    const { app } = await AppFixture.inPostgres(database, jobs).register(member);
    const claim = domainClaim({ organization: member.organization, appId: app.id });
    await open().run(({ domainClaims }) => domainClaims.add(claim, []));
    await database.source.query('delete from apps.apps where id = $1', [app.id]);
    const found = await open().run(({ domainClaims }) => domainClaims.find(member.organization, claim.id));
    expect(found).toMatchObject({ id: claim.id, appId: undefined });
  });

  it('opens one period for a claim until it is closed', async () => {
    const claim = domainClaim();
    const from = new Date('2026-11-01T00:00:00Z');
    const to = new Date('2026-11-02T00:00:00Z');
    await open().run(async ({ domainPeriods }) => {
      await domainPeriods.open(claim, from);
      await domainPeriods.open(claim, to);
      await domainPeriods.close(claim.id, to);
      await domainPeriods.close(claim.id, from);
      await domainPeriods.open(claim, to);
    });
    const periods = await database.source.query(
      'select started_at, ended_at from apps.domain_periods where claim_id = $1 order by id',
      [claim.id],
    );
    expect(periods).toEqual([
      { started_at: from, ended_at: to },
      { started_at: to, ended_at: null },
    ]);
  });
});
