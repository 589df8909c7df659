import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, rm, stat } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, parse, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BUBBLEWRAP } from './bubblewrap/programs.ts';
import { exitWithParentArgs, startChild } from './child-process.ts';
import type { Child, Environment, Log } from './child-process.ts';
import { SetupFailed } from './errors.ts';
import { findPrograms } from './system-programs.ts';
import { waitUntilReady } from './wait-until-ready.ts';

const run = promisify(execFile);
const BUILT = join(resolve(import.meta.dirname, '../..'), 'dist/api');
/** Pending requests take up to 25 seconds, then apps have 10 to stop. */
const STOP_TIMEOUT_MILLISECONDS = 38_000;
/** A path of a unix socket has at most 107 bytes. The sockets of apps lie 55 bytes deeper. */
const MAX_FOLDER_BYTES = 50;
/** The user id of "nobody". */
const UNPRIVILEGED = 65_534;
const READY_TRIES = 1_200;
const READY_PAUSE_MILLISECONDS = 50;

export interface RuntimeOptions {
  /** See `openRuntimeFolder`. */
  folder: string;
  /** The user's environment and the settings of the services. */
  env: Environment;
  onLog?: Log | undefined;
  /** The folder of the compiled programs; every user must be able to enter it. Default: `dist/api`. */
  release?: string | undefined;
}

/** Whether this environment wants the runtime. */
export function wantsRuntime(env: Environment): boolean {
  return env['RUNTIME'] !== 'off';
}

/**
 * Opens the folder of the runtime of a data folder. Apps run as other users, so that it lies in the temporary folder
 * when they could not enter the data folder, or when its path is too long for sockets.
 */
export async function openRuntimeFolder(dataDir: string): Promise<string> {
  const folder = await runtimeFolderOf(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o711 });
  return folder;
}

/** Removes the folder of the runtime where it is outside of the data folder. */
export async function closeRuntimeFolder(dataDir: string, folder: string): Promise<void> {
  if (folder !== join(dataDir, 'runtime')) await rm(folder, { recursive: true, force: true });
}

async function runtimeFolderOf(dataDir: string): Promise<string> {
  const own = join(dataDir, 'runtime');
  const isReachable = process.getuid?.() !== 0 || (await isOpenToAll(dataDir));
  if (Buffer.byteLength(own) <= MAX_FOLDER_BYTES && isReachable) return own;
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  return join(tmpdir(), `homeport-${id}`);
}

async function isOpenToAll(folder: string): Promise<boolean> {
  for (let path = folder; ; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
    if (path === parse(path).root) return true;
  }
}

/**
 * Starts the runtime unless the environment turns it off. Some machines allow no sandbox: they run everything except SSR
 * apps, unless `RUNTIME` asks for the runtime.
 * @returns undefined when it does not run.
 */
export async function startRuntimeIfPossible(
  options: RuntimeOptions & { onFailure: (reason: string) => void },
): Promise<Child | undefined> {
  if (!wantsRuntime(options.env)) return undefined;
  try {
    return await startRuntime(options);
  } catch (error) {
    if (options.env['RUNTIME'] || !(error instanceof SetupFailed)) throw error;
    options.onFailure(error.message);
    return undefined;
  }
}

/** Runs the built runtime until it is ready; it waits for the tables that the API creates. */
export async function startRuntime({ folder, env, onLog, release = BUILT }: RuntimeOptions): Promise<Child> {
  const runtime = startChild({
    name: 'runtime',
    main: join(release, 'apps/runtime/src/main.js'),
    execArgv: [...exitWithParentArgs()],
    env: {
      MALLOC_ARENA_MAX: '1',
      ...env,
      RUNTIME_DIR: folder,
      RUNTIME_TENANCY: env['RUNTIME_TENANCY'] || 'trusted',
      RUNTIME_SANDBOX: env['RUNTIME_SANDBOX'] || (await bestSandbox(env)),
    },
    onLog,
    stopTimeoutMilliseconds: STOP_TIMEOUT_MILLISECONDS,
  });
  let last = 'no answer';
  const isReady = async () => (last = await probe(join(folder, 'runtime.sock'))) === '200';
  const late = () =>
    new SetupFailed(`runtime did not become ready (${last}). Its last output:\n${runtime.tail().trim()}`);
  try {
    const { died } = runtime;
    await waitUntilReady(isReady, { tries: READY_TRIES, pauseMilliseconds: READY_PAUSE_MILLISECONDS, died, late });
    return runtime;
  } catch (error) {
    await runtime.close();
    throw error;
  }
}

/** Containers and some systems do not allow the namespaces that bubblewrap needs. */
async function bestSandbox(env: Environment): Promise<'bubblewrap' | 'bare'> {
  const folder = (await findPrograms(BUBBLEWRAP, env['PATH']))?.get('bwrap');
  if (folder === undefined) return 'bare';
  const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  const args = ['--unshare-all', '--ro-bind', '/', '/', 'true'];
  return run(join(folder, 'bwrap'), args, { cwd: '/', ...user }).then(
    () => 'bubblewrap',
    () => 'bare',
  );
}

/** Returns the status, or the error as text: the runtime may not listen yet. */
function probe(socketPath: string): Promise<string> {
  return new Promise((settle) => {
    get({ socketPath, path: '/health/ready', agent: false, timeout: 5_000 }, (response) => {
      response.resume();
      settle(String(response.statusCode));
    }).on('error', (error) => settle(error.message));
  });
}
