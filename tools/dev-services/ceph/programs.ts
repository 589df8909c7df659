import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { SetupFailed } from '../errors.ts';

const run = promisify(execFile);

/** The packages of Debian and Ubuntu that bring the programs. */
export const CEPH_PACKAGES = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'];
/** `setpriv` lets the daemons end with us, however we end. */
const PROGRAMS = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph', 'radosgw-admin', 'setpriv'];

/** @param path the PATH: everything it takes must be on it. */
export async function hasCeph(path: string): Promise<boolean> {
  const folders = path.split(delimiter).filter(Boolean);
  const found = await Promise.all(PROGRAMS.map((program) => isIn(folders, program)));
  return found.every(Boolean);
}

async function isIn(folders: readonly string[], program: string): Promise<boolean> {
  const tries = await Promise.allSettled(folders.map((folder) => access(join(folder, program), constants.X_OK)));
  return tries.some(({ status }) => status === 'fulfilled');
}

/** Runs one of Ceph's tools to its end. @throws {SetupFailed} with what it said. */
export async function runTool(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await run(program, args, { cwd })).stdout;
  } catch (error) {
    const { stderr = '' } = Object(error) as { stderr?: string };
    throw new SetupFailed(`${program} ${args.join(' ')} failed: ${stderr.trim() || String(error)}`);
  }
}

/** A daemon in the foreground. */
export interface Daemon {
  readonly died: Promise<Error>;
  close(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 5_000;

export function startDaemon(program: string, args: readonly string[], cwd: string): Daemon {
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], {
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
  };
}

async function stop(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MILLISECONDS);
  await exited;
  clearTimeout(force);
}
