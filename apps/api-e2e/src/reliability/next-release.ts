import { chmod, cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../../..');
const OPTIONS = 'apps/api/src/database-options.js';
/** The last number of all migrations. */
const NAME = 'NextRelease9000000000000';
const MIGRATION = `
class ${NAME} {
  name = '${NAME}';
  async up(runner) {
    await runner.query('alter table apps.apps add column next_release text');
    await runner.query('create table apps.next_release (id uuid primary key, name text not null)');
    await runner.query('create index apps_next_release_idx on apps.apps (next_release)');
    await runner.query('update apps.apps set next_release = name');
  }
}
`;

export interface NextRelease {
  /** The folder of its compiled programs. */
  readonly folder: string;
  /** The name of the migration that it adds. */
  readonly migration: string;
  remove(): Promise<void>;
}

/** Copies the build of the release under test, and adds a migration to the copy. The rest is the same. */
export async function buildNextRelease(): Promise<NextRelease> {
  const parent = await mkdtemp(join(tmpdir(), 'hp-next-'));
  // Apps run as other users, with files of the runtime.
  await chmod(parent, 0o711);
  const folder = join(parent, 'api');
  await cp(join(ROOT, 'dist/api'), folder, { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(parent, 'node_modules'));
  const options = await readFile(join(folder, OPTIONS), 'utf8');
  const changed = options.replace(/(const MIGRATIONS = \[[^\]]*)\]/, `$1, ${NAME}]`);
  if (changed === options) throw new Error(`${OPTIONS} lists no migrations.`);
  await writeFile(join(folder, OPTIONS), MIGRATION + changed);
  return { folder, migration: NAME, remove: () => rm(parent, { recursive: true, force: true }) };
}
