import { PostgresSealedValues, type SealAgainReport } from '@homeport/apps/server';
import type { Environment } from '@homeport/platform/server/config';
import { createDatabase } from '@homeport/platform/server/database';
import { configOrExit, describeFailure } from '@homeport/platform/server/process';
import { SecretBox } from '@homeport/platform/server/secrets';
import { type Config, loadConfig } from '../config';
import { databaseOptions } from '../database-options';

const POOL_SIZE = 2;

/**
 * Seals with the first key of SECRETS_KEYS what older keys seal, and prints how many values it changed.
 * @returns the exit code: 1 when a value cannot be opened, or the database is unavailable.
 */
export async function reseal(env: Environment): Promise<number> {
  const config = configOrExit(() => loadConfig(env));
  if (!config.SECRETS_KEYS) {
    process.stderr.write('SECRETS_KEYS is missing\n');
    return 1;
  }
  const box = new SecretBox(config.SECRETS_KEYS);
  try {
    const { sealed, unreadable } = await sealAgain(config, box);
    process.stdout.write(`Sealed ${sealed} values again, with the key ${box.keyIds[0]}.\n`);
    if (unreadable > 0) process.stdout.write(`No key of SECRETS_KEYS opens ${unreadable} values.\n`);
    return unreadable === 0 ? 0 : 1;
  } catch (error) {
    process.stderr.write(`The values could not be sealed again: ${describeFailure(error)}\n`);
    return 1;
  }
}

async function sealAgain(config: Config, box: SecretBox): Promise<SealAgainReport> {
  const database = await createDatabase({ ...databaseOptions(config), poolSize: POOL_SIZE }).open();
  try {
    return await new PostgresSealedValues(database, box).sealAgain();
  } finally {
    await database.close();
  }
}
