import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SetupFailed } from './errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;
export type Log = (service: string, line: string) => void;

export interface ChildOptions {
  name: string;
  /** The module to run. */
  main: string;
  args?: string[];
  execArgv?: string[];
  cwd?: string;
  env: Environment;
  onLog?: Log | undefined;
  /** Time before a stop is forced. */
  stopTimeoutMilliseconds?: number;
}

export interface Child {
  name: string;
  pid: number;
  process: ChildProcess;
  /** The last part of its output. */
  tail: () => string;
  exited: Promise<void>;
  /** Resolves when it exits without a stop request. */
  died: Promise<Error>;
  /** Stops it, after a timeout by force, and waits for its exit. Idempotent. */
  close(): Promise<void>;
  /** Starts the same program as another process. */
  restart(): Child;
}

const TAIL_CHARACTERS = 4_000;
const STOP_TIMEOUT_MILLISECONDS = 10_000;

/** Runs a module as a child process. It also exits with its parent, because it watches the IPC channel. */
export function startChild(options: ChildOptions): Child {
  const { name, onLog } = options;
  const child = fork(options.main, options.args ?? [], {
    cwd: options.cwd,
    env: { ...options.env },
    execArgv: options.execArgv ?? [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A separate process group: Ctrl-C reaches only this process, which stops its children in the right order.
    detached: process.platform !== 'win32',
  });
  let tail = '';
  for (const stream of [child.stdout, child.stderr]) {
    eachLine(stream, (line) => {
      tail = `${tail}${line}\n`.slice(-TAIL_CHARACTERS);
      onLog?.(name, line);
    });
  }
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', (error) => ((tail += `${error.message}\n`), resolve()));
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= stop(child, exited, options.stopTimeoutMilliseconds));
  const died = exited.then(() =>
    closing ? new Promise<never>(() => undefined) : new SetupFailed(`${name} ended (${endOf(child)}):\n${tail.trim()}`),
  );
  const restart = (): Child => startChild(options);
  return { name, pid: child.pid ?? 0, process: child, tail: () => tail, exited, died, close, restart };
}

/** Returns Node arguments that make a program exit with its parent. */
export function exitWithParentArgs(): string[] {
  const module = pathToFileURL(join(import.meta.dirname, 'exit-with-parent.mjs'));
  return ['--import', `${module.href}?parent=${process.pid}`];
}

function endOf({ exitCode, signalCode }: ChildProcess): string {
  return signalCode ?? `exit code ${exitCode}`;
}

/** Waits for the child's `ready` message and returns its addresses. @throws {SetupFailed} with any other message. */
export async function waitForReadyMessage(child: Child): Promise<Record<string, unknown>> {
  const message = await Promise.race([firstMessage(child.process), child.died]);
  if (message instanceof Error) throw message;
  if (message['type'] === 'ready') return message;
  throw new SetupFailed(`${child.name}: ${String(message['message'] ?? JSON.stringify(message))}`);
}

function firstMessage(child: ChildProcess): Promise<Record<string, unknown>> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(Object(message) as Record<string, unknown>));
  });
}

function eachLine(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    lines.filter((line) => line.trim()).forEach(onLine);
  });
  stream?.on('end', () => rest.trim() && onLine(rest));
}

async function stop(child: ChildProcess, exited: Promise<void>, patience = STOP_TIMEOUT_MILLISECONDS): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    // Windows has no signals: there the closed channel requests the stop.
    if (process.platform === 'win32') child.disconnect();
    else child.kill('SIGTERM');
  }
  const force = setTimeout(() => child.kill('SIGKILL'), patience);
  await exited;
  clearTimeout(force);
}
