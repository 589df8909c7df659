import { type KeyUse, PostgresSealedValues } from '@homeport/apps/server';
import { PostgresSealedSessions, SealedBox, type SessionKeyUse } from '@homeport/identity/server';
import { createDatabase, type Database } from '@homeport/platform/server/database';
import { SecretBox } from '@homeport/platform/server/secrets';
import type { Config } from '../config';
import { databaseOptions } from '../database-options';
import { type Check, fault, type Finding, ok, warning } from './check';
import { explainDatabase } from './database-checks';
import { databaseAddressOf } from './database-connection';

const POOL_SIZE = 2;

/** Whether the keys open what is stored, and whether an older key can be removed. */
export function keyChecks(config: Config): readonly Check[] {
  const explain = (code: string) =>
    // A table that does not exist yet.
    code === '42P01' || code === '3F000'
      ? { detail: 'The database has no tables of this version.', remedy: 'Start the API once: it creates them.' }
      : explainDatabase(code, databaseAddressOf(config));
  const needs = ['database'];
  const box = new SealedBox(config.SESSION_KEYS);
  return [
    {
      name: 'session-keys',
      needs,
      explain,
      run: () =>
        withTables(config, 'identity.sessions', async (database) =>
          sessionsFinding(await new PostgresSealedSessions(database, box).keyUse(), box.keyIds),
        ),
    },
    {
      name: 'secrets-keys',
      needs,
      explain,
      run: () => checkSecretsKeys(config),
    },
  ];
}

async function checkSecretsKeys(config: Config): Promise<Finding> {
  const { SECRETS_KEYS: keys } = config;
  if (!keys) {
    return warning('SECRETS_KEYS is not set, so that apps have no variables.', 'Set SECRETS_KEYS.');
  }
  const box = new SecretBox(keys);
  return withTables(config, 'apps.acme_accounts', async (database) =>
    secretsFinding(await new PostgresSealedValues(database, box).keyUses(), box.keyIds),
  );
}

/** Before the first start there is nothing to open. */
async function withTables(
  config: Config,
  table: string,
  check: (database: Database) => Promise<Finding>,
): Promise<Finding> {
  const database = await createDatabase({ ...databaseOptions(config), poolSize: POOL_SIZE }).open();
  try {
    const [{ present }] = await database.run((manager) =>
      manager.query<[{ present: boolean }]>('select to_regclass($1) is not null as present', [table]),
    );
    return present
      ? await check(database)
      : ok('Nothing is stored yet: the API creates the tables at its first start.');
  } finally {
    await database.close();
  }
}

export function sessionsFinding({ newest, older, unreadable }: SessionKeyUse, keyIds: readonly string[]): Finding {
  const ids = keyIds.map((id) => `'${id}'`).join(', ');
  if (unreadable > 0) {
    return fault(
      `No key of SESSION_KEYS opens ${unreadable} of ${newest + older + unreadable} sessions: these people have to sign in again.`,
      `Add the key that sealed them to the end of SESSION_KEYS. When it is lost, end these sessions: delete from identity.sessions where split_part(access_token, '.', 1) not in (${ids}).`,
    );
  }
  if (older === 0) return ok(`The first key of SESSION_KEYS seals all ${newest} sessions: other keys can be removed.`);
  return ok(
    `Older keys of SESSION_KEYS seal ${older} of ${newest + older} sessions: keep these keys. At the latest 7 days after the rotation, all sessions have the first key.`,
  );
}

export function secretsFinding(uses: readonly KeyUse[], keyIds: readonly string[]): Finding {
  const [newestId] = keyIds;
  const unreadable = uses.filter(({ isReadable }) => !isReadable);
  if (unreadable.length > 0) {
    return fault(
      `No key of SECRETS_KEYS opens values that were sealed with the key ${listed(unreadable)}.`,
      'Add the key with this id, as it was, to the end of SECRETS_KEYS of all programs.',
    );
  }
  const older = uses.filter(({ keyId }) => keyId !== newestId);
  const total = uses.reduce((sum, { count }) => sum + count, 0);
  if (older.length === 0) {
    return ok(`The key ${newestId} of SECRETS_KEYS seals all ${total} values: other keys can be removed.`);
  }
  return ok(
    `Older keys of SECRETS_KEYS seal values (${listed(older)}): keep these keys, or run: node dist/api/apps/api/src/main.js reseal.`,
  );
}

function listed(uses: readonly KeyUse[]): string {
  return uses.map(({ keyId, kind, count }) => `${keyId}: ${count} ${kind}`).join(', ');
}
