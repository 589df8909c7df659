import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseFor, type DatabaseOptions, DatabaseUnavailable, migrate } from '@homeport/platform/server';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import type { DataSource } from 'typeorm';
import type { NewApp } from '../../domain/app-record';
import { SubdomainTaken } from '../../domain/apps.errors';
import { appRepositoryContract } from '../../testing/app-repository.contract';
import { AppEntity, DanglingSubdomainEntity } from './app.entity';
import { Apps1763600000200 } from './migrations/1763600000200-apps';
import { PostgresAppRepository } from './postgres-app-repository';

const optionsFor = (url: string): DatabaseOptions => ({
  url,
  poolSize: 10,
  entities: [AppEntity, DanglingSubdomainEntity],
  migrations: [Apps1763600000200],
  onPoolError: () => undefined,
});

describe(PostgresAppRepository.name, () => {
  let fresh: FreshDatabase;
  let database: DataSource;

  beforeAll(async () => {
    fresh = await freshDatabase();
    // Two instances start at once: the migrations run once.
    await Promise.all([migrate(optionsFor(fresh.url)), migrate(optionsFor(fresh.url))]);
    database = await databaseFor(optionsFor(fresh.url)).initialize();
  });

  afterAll(async () => {
    await database.destroy();
    await fresh.drop();
  });

  appRepositoryContract(PostgresAppRepository.name, () => new PostgresAppRepository(database));

  const insert = (changes: Record<string, unknown>) => {
    const row = { organization: 'o', name: 'n', subdomain: 'good', type: 'static', created_by: 'ada', ...changes };
    const names = Object.keys(row);
    const places = names.map((_, i) => `$${i + 1}`);
    return database.query(
      `insert into apps.apps (${names.join(', ')}) values (${places.join(', ')})`,
      Object.values(row),
    );
  };

  it('is told by the database itself that a subdomain is unique', async () => {
    await insert({ subdomain: 'unique-one' });
    await expect(insert({ subdomain: 'unique-one', organization: 'other' })).rejects.toMatchObject({ code: '23505' });
  });

  it.each([
    { subdomain: '-ab' },
    { subdomain: 'ab-' },
    { subdomain: 'a' },
    { subdomain: 'A-b' },
    { subdomain: 'a.b' },
    { subdomain: 'x'.repeat(64) },
    { name: '' },
    { name: 'x'.repeat(201) },
    { type: 'spa' },
    { deploy_count: -1 },
    { dns_status: 'unknown' },
    { dns_status: 'dns-failed' },
    { dns_error: '{}' },
  ])('is told by the database itself that %j cannot be', async (changes) => {
    await expect(insert({ subdomain: 'checked-row', ...changes })).rejects.toMatchObject({ code: '23514' });
  });

  it('takes only a taken name for taken', async () => {
    const repository = new PostgresAppRepository(database);
    const app = {
      organization: 'o',
      name: 'x'.repeat(201),
      subdomain: 'too-long-name',
      type: 'static',
      createdBy: 'a',
    };
    await expect(repository.add(app as NewApp)).rejects.not.toBeInstanceOf(SubdomainTaken);
  });

  it('keeps a name from a stranger who registers it while its deletion leaves a dangling record', async () => {
    const repository = new PostgresAppRepository(database);
    await insert({ subdomain: 'contested', organization: 'former' });
    const deletion = database.createQueryRunner();
    await deletion.startTransaction();
    await deletion.query(`delete from apps.apps where subdomain = 'contested'`);
    await deletion.query(
      `insert into apps.dangling_subdomains (subdomain, organization) values ('contested', 'former')`,
    );
    const subdomain = 'contested' as NewApp['subdomain'];
    const stranger = repository.add({ organization: 'stranger', name: 'n', subdomain, type: 'static', createdBy: 'a' });
    const refusal = expect(stranger).rejects.toBeInstanceOf(SubdomainTaken);
    // The stranger's insert waits for the deletion: that is the moment in question.
    let waiting = 0;
    while (waiting === 0) {
      const [{ count }] = await database.query<[{ count: string }]>(
        `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = Number(count);
    }
    await deletion.commitTransaction();
    await deletion.release();
    await refusal;
    expect(
      await database.query(`select organization from apps.dangling_subdomains where subdomain = 'contested'`),
    ).toEqual([{ organization: 'former' }]);
  });

  it('names a database that is away, in every method', async () => {
    const doomed = await freshDatabase();
    await migrate(optionsFor(doomed.url));
    const gone = await databaseFor(optionsFor(doomed.url)).initialize();
    const repository = new PostgresAppRepository(gone);
    const subdomain = 'before-it-went' as NewApp['subdomain'];
    const app = await repository.add({ organization: 'o', name: 'n', subdomain, type: 'static', createdBy: 'a' });
    await doomed.drop();
    for (const call of [
      () => repository.add(app),
      () => repository.list('o'),
      () => repository.find('o', app.id),
      () => repository.recordDns(app.id, { status: 'dns-active' }),
      () => repository.remove(app, false),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(DatabaseUnavailable);
    }
    await gone.destroy();
  });
});
