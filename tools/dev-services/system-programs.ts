import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupFailed } from './errors.ts';

const run = promisify(execFile);

/** Programs of the operating system that some tests use when they are installed. */
export interface SystemPrograms {
  title: string;
  /** The Debian and Ubuntu packages that contain them. */
  packages: readonly string[];
  programs: readonly string[];
}

/** Kills daemons when this process ends, even after a crash. */
const PDEATHSIG = 'setpriv';

/**
 * Finds programs on the PATH and in the system folders.
 * @param path the PATH; searched before the system folders.
 * @returns the folder of each program; undefined unless all are found.
 */
export async function findPrograms(
  { programs }: SystemPrograms,
  path = '',
): Promise<ReadonlyMap<string, string> | undefined> {
  const folders = [...path.split(delimiter).filter(Boolean), ...SYSTEM_FOLDERS];
  const found = await Promise.all(
    [...programs, PDEATHSIG].map(async (name) => [name, await folderOf(name, folders)] as const),
  );
  const present = found.flatMap(([name, folder]) => (folder === undefined ? [] : [[name, folder] as const]));
  return present.length === found.length ? new Map(present) : undefined;
}

/** Debian installs daemons in folders that are not on an ordinary user's PATH. */
const SYSTEM_FOLDERS = ['/usr/sbin', '/sbin', '/usr/bin', '/bin'];

async function folderOf(program: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    const isThere = await access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  return undefined;
}

/** Explains how to install missing programs. */
export function installAdvice({ title, packages }: SystemPrograms): string {
  return `${title} is not installed. On Debian: apt-get install ${packages.join(' ')}`;
}

/** Runs a program to completion. @throws {SetupFailed} with its error output. */
export async function runTool(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run(program, args, { cwd })).stdout;
  } catch (error) {
    const { stderr = '' } = Object(error) as { stderr?: string };
    throw new SetupFailed(`${program} ${args.join(' ')} failed: ${stderr.trim() || String(error)}`);
  }
}

/** A daemon that runs in the foreground. */
export interface Daemon {
  readonly died: Promise<Error>;
  close(): Promise<void>;
  /** Ends it without a chance to finish anything. */
  kill(): Promise<void>;
}

const STOP_TIMEOUT_MILLISECONDS = 5_000;

/** @param variables added to the environment of the daemon. */
export function startDaemon(
  program: string,
  args: readonly string[],
  cwd: string,
  variables: Readonly<Record<string, string>> = {},
): Daemon {
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const child = spawn(PDEATHSIG, ['--pdeathsig', 'KILL', 'env', ...settings, program, ...args], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-2_000)));
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => ((tail += error.message), resolve()));
  });
  let isClosing = false;
  const died = exited.then(() =>
    isClosing ? new Promise<never>(() => undefined) : new SetupFailed(`${program} ended:\n${tail.trim()}`),
  );
  return {
    died,
    close: () => {
      isClosing = true;
      return stop(child, exited);
    },
    kill: () => {
      isClosing = true;
      child.kill('SIGKILL');
      return exited;
    },
  };
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MILLISECONDS);
  await exited;
  clearTimeout(force);
}
