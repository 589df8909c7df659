import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileUsageSpool } from '@homeport/usage/server';
import type { Config } from '../config';

type SpoolConfig = Pick<Config, 'USAGE_SPOOL_DIR' | 'DATABASE_URL'>;

/** All users of a machine can write to the temporary folder, so this folder must be private. */
const DEFAULT_PARENT = join(tmpdir(), 'homeport-usage');

/** A folder for each database, because several installations can run on a machine. The password may change. */
export function usageFolderOf({ USAGE_SPOOL_DIR, DATABASE_URL }: SpoolConfig): string {
  const database = DATABASE_URL.replace(/\/\/[^@/]*@/, '//');
  return join(USAGE_SPOOL_DIR ?? DEFAULT_PARENT, hash('sha256', database).slice(0, 16));
}

export function usageSpoolOf(config: SpoolConfig): FileUsageSpool {
  const options = config.USAGE_SPOOL_DIR === undefined ? { privateParent: DEFAULT_PARENT } : {};
  return new FileUsageSpool(usageFolderOf(config), options);
}
