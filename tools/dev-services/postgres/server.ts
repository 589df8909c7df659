import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SetupFailed } from '../errors.ts';
import { cannotRun } from './cluster.ts';
import type { DataLocation } from './data-location.ts';

export interface Server {
  process: ChildProcess;
  log: Readable;
  /** The last part of its log. */
  tail: () => string;
  exited: Promise<number | null>;
}

export interface ServerOptions {
  program: string;
  data: string;
  port: number;
  home: DataLocation;
  onLog: (line: string) => void;
}

const READY = 'database system is ready to accept connections';
const SHARED_MEMORY_TRIES = 20;
const FAST_MILLISECONDS = 6_000;
const IMMEDIATE_MILLISECONDS = 2_000;

/** Starts PostgreSQL and resolves once it accepts connections. */
export async function launch(options: ServerOptions): Promise<Server> {
  for (let tries = 1; ; tries += 1) {
    const server = spawnServer(options);
    const output = await readyOrOutput(server);
    if (output === undefined) return server;
    // After a SIGKILL of the main process, its children need a moment to release the shared memory.
    const lettingGo = output.includes('pre-existing shared memory block');
    if (!lettingGo || tries >= SHARED_MEMORY_TRIES) throw launchFailed(output, options);
    await pause(250);
  }
}

function spawnServer({ program, data, port, home, onLog }: ServerOptions): Server {
  const child = spawn(program, ['-D', data, ...settings(port)], {
    ...home.account,
    cwd: data,
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A separate process group: Ctrl-C in a terminal must not stop the database before its clients.
    detached: process.platform !== 'win32',
    windowsHide: true,
  });
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => reject(cannotRun(program, error)));
    child.once('close', (code) => resolve(code));
  });
  exited.catch(() => undefined); // Handled by readyOrOutput.
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-8_000);
    for (const line of chunk.split('\n')) if (line.trim()) onLog(line);
  });
  return { process: child, log: child.stderr, tail: () => tail, exited };
}

/** Loopback only, no Unix sockets, durable, and with little memory, because it runs on a developer's machine. */
function settings(port: number): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '32MB',
    // Instances open all their connections at the start, and tests run many instances.
    max_connections: 300,
    io_method: 'sync',
    max_parallel_workers_per_gather: 0,
    jit: 'off',
    dynamic_shared_memory_type: process.platform === 'win32' ? 'windows' : 'mmap',
    max_wal_size: '256MB',
    lc_messages: 'C',
    log_timezone: 'UTC',
    timezone: 'UTC',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Resolves to undefined once PostgreSQL is ready, or to its output when it exits before. */
async function readyOrOutput(server: Server): Promise<string | undefined> {
  const done = new AbortController();
  const ready = (async () => {
    while (!server.tail().includes(READY)) await once(server.log, 'data', { signal: done.signal });
  })();
  try {
    const ended = await Promise.race([ready.then(() => false), server.exited.then(() => true)]);
    return ended ? server.tail() : undefined;
  } finally {
    done.abort();
    ready.catch(() => undefined);
  }
}

function launchFailed(output: string, { port, data }: ServerOptions): Error {
  if (/Address already in use/i.test(output)) return portInUse(port);
  if (/No space left on device/i.test(output)) {
    return new SetupFailed(`The disk with ${data} is full. Free some space and try again.`);
  }
  return new SetupFailed(`PostgreSQL did not start:\n${output.trim()}`);
}

export function portInUse(port: number): SetupFailed {
  return new SetupFailed(`Port ${port} is in use by another program. Set POSTGRES_PORT to another port, or unset it.`);
}

/**
 * Stops PostgreSQL: fast shutdown, then immediate shutdown if
 * connections hang, then SIGKILL. Data is safe in every case.
 */
export async function shutDown({ process: child, exited }: Server): Promise<void> {
  const steps = [
    ['SIGINT', FAST_MILLISECONDS],
    ['SIGQUIT', IMMEDIATE_MILLISECONDS],
  ] as const;
  for (const [signal, patience] of steps) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    child.kill(signal);
    const timer = new AbortController();
    const late = pause(patience, 'late', { signal: timer.signal }).catch(() => 'stopped');
    const result = await Promise.race([exited, late]);
    timer.abort();
    if (result !== 'late') break;
  }
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  await exited;
}
