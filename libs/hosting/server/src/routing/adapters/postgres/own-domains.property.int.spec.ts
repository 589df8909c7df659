import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresAppsUnitOfWork } from '@homeport/apps/server';
import { AppFixture, appsDatabaseOptions, domainSteps, DomainWorld, memberOf } from '@homeport/apps/server/testing';
import { createDatabase, type Database, migrate } from '@homeport/platform/server/database';
import { JobQueue } from '@homeport/platform/server/jobs';
import { PostgresPool } from '@homeport/platform/server/postgres';
import { type FreshDatabase, freshDatabase, suiteSize } from '@homeport/platform/server/testing';
import fc from 'fast-check';
import { SITE_HOSTNAMES } from '../../../testing/site-directory.contract';
import { PostgresSiteDirectory } from './postgres-site-directory';

describe('the site directory during random claims, proofs, removals and clock jumps of three organizations', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let pool: PostgresPool;

  beforeAll(async () => {
    fresh = await freshDatabase();
    await migrate(appsDatabaseOptions(fresh.url));
    database = await createDatabase(appsDatabaseOptions(fresh.url)).open();
    pool = new PostgresPool({ url: fresh.url, poolSize: 2, applicationName: 'homeport-edge' });
  });

  afterAll(async () => {
    await pool.close();
    await database.close();
    await fresh.drop();
  });

  /** Three organizations, each with one app, and a domain that they claim. */
  async function openWorld() {
    const jobs = new JobQueue({ database: database.source });
    const fixture = AppFixture.inPostgres(database, jobs);
    const parties = [];
    for (const name of ['northwind', 'globex', 'initech']) {
      const organization = `${name}-${randomUUID()}`;
      const { app } = await fixture.register(memberOf(organization));
      parties.push({ organization, appId: app.id, subdomain: app.subdomain });
    }
    const unitOfWork = new PostgresAppsUnitOfWork(database, jobs);
    return { parties, world: new DomainWorld({ unitOfWork, parties, domain: `acme-${randomUUID()}.test` }) };
  }

  it('shows apps of the owner of a name only', async () => {
    const directory = new PostgresSiteDirectory(pool, SITE_HOSTNAMES);
    let shown = 0;
    await fc.assert(
      fc.asyncProperty(domainSteps({ minLength: 30, maxLength: 60 }), async (steps) => {
        const { parties, world } = await openWorld();
        for (const step of steps) {
          await world.run(step);
          const served = await world.assertOneOwner();
          for (const name of world.names) {
            for (const host of [name, ...parties.map(({ subdomain }) => `${subdomain}.${name}`)]) {
              const site = await directory.findSite(host);
              if (site === undefined || site.kind === 'released') continue;
              shown += 1;
              const shownFor = parties.find(({ appId }) => appId === site.appId)?.organization;
              const owners = served.filter((claim) => host === claim.name || host.endsWith(`.${claim.name}`));
              expect(owners.map(({ organization }) => organization)).toContain(shownFor);
            }
          }
        }
      }),
      { numRuns: suiteSize(3, 200) },
    );
    expect(shown).toBeGreaterThan(0);
  });
});
