import { hash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileUsageSpool } from '@homeport/usage/server';
import type { Config } from '../config';

type SpoolConfig = Pick<Config, 'USAGE_SPOOL_DIR' | 'DATABASE_URL'>;

/** All users of a machine can write to the temporary folder, so this folder must be private. */
const DEFAULT_PARENT = join(tmpdir(), 'homeport-usage');
const POSTGRES_PORT = '5432';

/** A folder for each database, because several installations can run on a machine. */
export function usageFolderOf(config: SpoolConfig): string {
  return folderNamedAfter(databaseIn(config.DATABASE_URL), config);
}

export function usageSpoolOf(config: SpoolConfig): FileUsageSpool {
  return new FileUsageSpool(usageFolderOf(config), {
    earlierFolder: earlierFolderOf(config),
    ...(config.USAGE_SPOOL_DIR === undefined && { privateParent: DEFAULT_PARENT }),
  });
}

/** What stays the same when user, password and options of the connection change. */
function databaseIn(address: string): string {
  const { hostname, port, pathname, searchParams, username } = new URL(address);
  const host = searchParams.get('host') ?? hostname.toLowerCase();
  const database = pathname.length > 1 ? pathname : `/${username}`;
  return `${host}:${searchParams.get('port') ?? (port || POSTGRES_PORT)}${database}`;
}

/** The folder of earlier versions, whose name depended on the options of the connection too. */
function earlierFolderOf(config: SpoolConfig): string {
  return folderNamedAfter(config.DATABASE_URL.replace(/\/\/[^@/]*@/, '//'), config);
}

function folderNamedAfter(text: string, { USAGE_SPOOL_DIR: parent = DEFAULT_PARENT }: SpoolConfig): string {
  return join(parent, hash('sha256', text).slice(0, 16));
}
