import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { databaseFor, type DatabaseOptions, migrate } from '@homeport/platform/server';
import { type FreshDatabase, freshDatabase } from '@homeport/platform/server/testing';
import type { DataSource } from 'typeorm';
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

  it('is told by the database itself that a subdomain is unique and well formed', async () => {
    const insert = (subdomain: string) =>
      database.query(
        `insert into apps.apps (organization, name, subdomain, type, created_by) values ('o', 'n', $1, 'static', 'ada')`,
        [subdomain],
      );
    await insert('unique-one');
    await expect(insert('unique-one')).rejects.toMatchObject({ code: '23505' });
    for (const bad of ['-ab', 'ab-', 'a', 'A-b', 'a.b', 'x'.repeat(64)]) {
      await expect(insert(bad)).rejects.toMatchObject({ code: '23514' });
    }
  });
});
