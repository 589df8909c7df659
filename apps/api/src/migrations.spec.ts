import { describe, expect, it } from '@jest/globals';
import { incompatibleStatements } from '@homeport/platform/server/testing';
import type { QueryRunner } from 'typeorm';
import { databaseOptions } from './database-options';

/** The last migration that was written before versions ran side by side. */
const LAST_UNCHECKED = 1_766_000_000_900;
/**
 * Migrations that remove what no supported version uses any more, with the version that stopped using it. See "The rule
 * for migrations" in docs/upgrades.md.
 */
const CONTRACTING: Readonly<Record<string, string>> = {};

const { migrations } = databaseOptions({ DATABASE_URL: 'postgres://localhost/none', DATABASE_POOL_SIZE: 1 });
const all = migrations.map((Migration) => new Migration());
const numberOf = (name: string | undefined) => Number(name?.match(/\d{13}$/)?.[0]);
const added = all.filter(({ name = '' }) => numberOf(name) > LAST_UNCHECKED && !(name in CONTRACTING));

/** The statements of a migration. A query without a database returns no rows. */
async function statementsOf(migration: (typeof all)[number]): Promise<string[]> {
  const statements: string[] = [];
  const query = async (sql: string) => {
    statements.push(sql);
    return [];
  };
  await migration.up({ query } as unknown as QueryRunner);
  return statements;
}

/** The indexes that block writes to a table with rows, or that PostgreSQL cannot build in the transaction of a migration. */
async function blockingIndexes(migration: (typeof all)[number]): Promise<string[]> {
  const statements = await statementsOf(migration);
  return statements.filter((sql) => {
    const [, concurrently, table] = /^\s*create (?:unique )?index (concurrently )?.*?\bon (\S+)/s.exec(sql) ?? [];
    if (table === undefined) return false;
    const isNewTable = statements.some((each) => each.includes(`create table ${table} (`));
    return concurrently === undefined ? !isNewTable : migration.transaction !== false;
  });
}

describe('migrations', () => {
  it('have different numbers, which decide their order', () => {
    const numbers = all.map(({ name }) => numberOf(name));
    expect(numbers).not.toContain(NaN);
    expect(new Set(numbers).size).toBe(all.length);
  });

  it('that are new let the previous version work on', async () => {
    const found: string[] = [];
    for (const migration of added) {
      const statements = await statementsOf(migration);
      expect(statements).not.toEqual([]);
      found.push(...statements.flatMap((sql) => incompatibleStatements(sql)));
    }
    expect(found).toEqual([]);
  });

  it('that are new build indexes of existing tables while others write', async () => {
    expect((await Promise.all(added.map(blockingIndexes))).flat()).toEqual([]);
  });

  it('are checked: old ones, from before the rule, would be rejected', async () => {
    const found = await Promise.all(all.map(statementsOf));
    expect(found.flat().flatMap((sql) => incompatibleStatements(sql))).not.toEqual([]);
  });
});
