import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { databaseOptions } from './database-options';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/data.md'), 'utf8');
const section = page.split('\n## PostgreSQL\n')[1]?.split(/^## /m)[0] ?? '';
const rows = section.split('\n').filter((line) => line.startsWith('| `'));
const STATEMENT = /\b(create(?: unlogged)?|drop) table (?:if (?:not )?exists )?((?:[a-z_]+\.[a-z_]+(?:, )?)+)/g;

/** @returns the tables after all migrations. No migration reads the result of a statement. */
async function migratedTables(): Promise<string[]> {
  const tables = new Set<string>();
  const query = async (sql: string) => {
    for (const [, action, names = ''] of sql.matchAll(STATEMENT))
      for (const name of names.split(', ')) tables[action === 'drop' ? 'delete' : 'add'](name);
    return [];
  };
  const { migrations } = databaseOptions({ DATABASE_URL: 'postgresql://db.example/homeport', DATABASE_POOL_SIZE: 1 });
  for (const Migration of migrations as readonly (new () => MigrationInterface)[])
    await new Migration().up({ query } as unknown as QueryRunner);
  return [...tables];
}

describe('docs/data.md', () => {
  it('has a row for each table of the migrations, and for no other one', async () => {
    const tables = await migratedTables();
    expect(tables.length).toBeGreaterThan(35);
    const documented = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([a-z_]+\.[a-z_]+)`/g)]);
    expect(documented.map(([, name]) => name).toSorted()).toEqual([...tables, 'public.migrations'].toSorted());
  });

  it('states class, protection, readers and removal in each of these rows', () => {
    expect(rows.length).toBeGreaterThan(25);
    for (const row of rows) {
      const cells = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      expect(cells).toHaveLength(6);
      expect(cells).not.toContain('');
      expect(['public', 'internal', 'confidential', 'secret']).toContain(cells[2]);
    }
  });
});
