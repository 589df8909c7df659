import { randomUUID } from 'node:crypto';
import { mkdtemp, open, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import type { Config } from '../config';
import { usageFolderOf, usageSpoolOf } from '../usage/usage-spool';
import { type Check, type Explanation, fault, type Finding, ok } from './check';

type MachineConfig = Pick<
  Config,
  'HOST' | 'MANAGEMENT_HOST' | 'MANAGEMENT_PORT' | 'CLIENT_DIR' | 'METERING' | 'USAGE_SPOOL_DIR' | 'DATABASE_URL'
>;

/** The addresses on which the API listens, and the folders that it reads and writes on its machine. */
export function machineChecks(config: MachineConfig): readonly Check[] {
  return [
    listenCheck('host', 'HOST', config.HOST),
    ...(config.MANAGEMENT_PORT === undefined
      ? []
      : [listenCheck('management-host', 'MANAGEMENT_HOST', config.MANAGEMENT_HOST)]),
    ...(config.CLIENT_DIR === undefined ? [] : [clientCheck(config.CLIENT_DIR)]),
    ...(config.METERING === 'on' ? [usageCheck(config)] : []),
  ];
}

/** On a free port, because Homeport may run already. */
function listenCheck(name: string, variable: string, host: string): Check {
  return {
    name,
    explain: (code) => ({
      detail: `This machine cannot listen on ${host} (${code}).`,
      remedy: `Set ${variable} to an address of this machine: 127.0.0.1 behind a proxy on it, or 0.0.0.0 for all.`,
    }),
    async run(): Promise<Finding> {
      const server = createServer();
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject).listen({ host, port: 0 }, resolve);
      });
      await new Promise((resolve) => server.close(resolve));
      return ok(`This machine can listen on ${host}.`);
    },
  };
}

function clientCheck(folder: string): Check {
  const page = join(folder, 'index.html');
  return {
    name: 'client-folder',
    explain: (code) => ({
      detail: `The client has no page ${page} that this user can read (${code}).`,
      remedy:
        'Build the client, and set CLIENT_DIR to its folder dist/client/browser. Without CLIENT_DIR, the API alone is served.',
    }),
    async run(): Promise<Finding> {
      await (await open(page)).close();
      return ok(`The client is in ${folder}.`);
    },
  };
}

function usageCheck(config: MachineConfig): Check {
  const folder = usageFolderOf(config);
  return {
    name: 'usage-folder',
    explain: (code) => explainUsageFolder(code, folder),
    run: () => checkUsageFolder(folder, config),
  };
}

/** Leaves nothing, because a folder that root creates keeps the API from starting. */
async function checkUsageFolder(folder: string, config: MachineConfig): Promise<Finding> {
  const existing = await nearestFolder(folder);
  try {
    await usageSpoolOf(config).assertPrivate();
  } catch (error) {
    return fault((error as Error).message, 'Run this command as the user of the API.');
  }
  if (existing !== folder) {
    await rmdir(await mkdtemp(join(existing, 'homeport-doctor-')));
    return ok(`The API can create the folder ${folder} for usage.`);
  }
  const probe = join(folder, `${randomUUID()}.part`);
  await writeFile(probe, '').finally(() => rm(probe, { force: true }));
  return ok(`The API can write usage to ${folder}.`);
}

/** The path itself, or the nearest one above that exists. */
async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return found || dirname(path) === path ? path : nearestFolder(dirname(path));
}

function explainUsageFolder(code: string, folder: string): Explanation {
  const other = 'or set USAGE_SPOOL_DIR to another folder';
  const known: Readonly<Record<string, Explanation>> = {
    EACCES: {
      detail: `This user may not write to ${folder} (${code}).`,
      remedy: `Make the folder belong to the user of the API, ${other}.`,
    },
    EROFS: {
      detail: `The file system of ${folder} is read-only (${code}).`,
      remedy: `Mount a volume there, ${other}.`,
    },
    ENOSPC: { detail: `The disk of ${folder} is full (${code}).`, remedy: `Free space, ${other}.` },
    ENOTDIR: { detail: `A part of the path ${folder} is a file (${code}).`, remedy: 'Correct USAGE_SPOOL_DIR.' },
  };
  return (
    known[code === 'EPERM' ? 'EACCES' : code] ?? {
      detail: `The folder ${folder} for usage cannot be written (${code}).`,
      remedy: `Correct its disk, ${other}.`,
    }
  );
}
