import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { embeddedServices } from '../testing';
import { databaseFor } from './database';

let database: DataSource;

beforeEach(async () => {
  database = await databaseFor({
    url: embeddedServices()['DATABASE_URL'] ?? '',
    poolSize: 1,
    entities: [],
    migrations: [],
    onPoolError: () => undefined,
    queryLimitMs: 1_000,
  }).initialize();
});

afterEach(() => database.destroy());

async function backend(): Promise<unknown> {
  return database.query('select pg_backend_pid()');
}

describe('databaseFor', () => {
  it('hands a connection on after a query that failed', async () => {
    const before = await backend();
    await expect(database.query('select 1/0')).rejects.toThrow('division by zero');
    expect(await backend()).toEqual(before);
  });

  it('never hands on a connection whose query ran out of time: it may still be in the middle of it', async () => {
    const before = await backend();
    await expect(database.query('select pg_sleep(60)')).rejects.toThrow('Query read timeout');
    expect(await backend()).not.toEqual(before);
  });

  it('gives up a whole transaction with its connection', async () => {
    const before = await backend();
    const work = database.transaction((manager) => manager.query('select pg_sleep(60)'));
    await expect(work).rejects.toThrow('Query read timeout');
    expect(await backend()).not.toEqual(before);
  });
});
