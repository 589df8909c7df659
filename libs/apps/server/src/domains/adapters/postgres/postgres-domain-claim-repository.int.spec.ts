import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import { PostgresAppsUnitOfWork } from '../../../shared/adapters/postgres/postgres-apps-unit-of-work';
import { AppFixture, memberOf } from '../../../testing/app-fixture';
import { appsDatabaseOptions } from '../../../testing/apps-database';
import { domainClaim, domainClaimsContract } from '../../../testing/domain-claims.contract';
import { PostgresDomainClaimRepository } from './postgres-domain-claim-repository';

describe('PostgresDomainClaimRepository', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let jobs: JobQueue;
  const open = () => new PostgresAppsUnitOfWork(database, jobs);

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    jobs = new JobQueue({ database: database.source });
  });
  afterAll(async () => {
    await database.close();
    await fresh.drop();
  });

  domainClaimsContract(PostgresDomainClaimRepository.name, open);

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
