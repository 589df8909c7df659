import { readdirSync, readlinkSync } from 'node:fs';
import { type Child, freePort, startApi, startEdge } from '@homeport/dev-services';
import { settings } from './homeport';

/** A further process of the product under test. */
interface ProductProcess {
  readonly pid: number;
  /** Whether it has run without a break. */
  isAlive(): boolean;
  /** What it holds for a failure of its own or of its storage. */
  errorLines(): string[];
  /** Connections of its process, those it listens on included. */
  sockets(): number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A further API of the product under test, with settings of the test's choice. */
export interface ApiProcess extends ProductProcess {
  readonly url: string;
  /** What it must never log: failures that nobody foresaw. */
  unexpectedErrors(): string[];
}

/** The same of what serves deployed apps. */
export interface EdgeProcess extends ProductProcess {
  readonly port: number;
}

/** @param port unset: a free one. */
export async function spawnApi(env: Readonly<Record<string, string>>, port?: number): Promise<ApiProcess> {
  return spawnApiAt(port ?? (await freePort()), env);
}

async function spawnApiAt(port: number, env: Readonly<Record<string, string>>): Promise<ApiProcess> {
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const api = await startApi({
    port,
    host: '127.0.0.1',
    publicUrl: url,
    env: { ...settings, ...env, LOG_LEVEL: 'info', RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' },
    onLog: (_service, line) => lines.push(line),
  });
  return {
    ...productProcess(api, lines),
    url,
    unexpectedErrors: () => lines.filter(isUnexpectedError).map((line) => line.slice(0, 1_000)),
  };
}

/** @param port unset: a free one. */
export async function spawnEdge(env: Readonly<Record<string, string>>, port?: number): Promise<EdgeProcess> {
  return spawnEdgeAt(port ?? (await freePort()), env);
}

async function spawnEdgeAt(port: number, env: Readonly<Record<string, string>>): Promise<EdgeProcess> {
  const lines: string[] = [];
  const edge = await startEdge({
    port,
    host: '127.0.0.1',
    env: { ...settings, ...env, LOG_LEVEL: 'info' },
    onLog: (_service, line) => lines.push(line),
  });
  return { ...productProcess(edge, lines), port };
}

function productProcess(child: Child, lines: readonly string[]): ProductProcess {
  return {
    pid: child.pid,
    isAlive: () => child.process.exitCode === null && child.process.signalCode === null,
    errorLines: () => lines.filter((line) => levelOf(line) >= 50).map((line) => line.slice(0, 1_000)),
    sockets: () => socketsOf(child.pid),
    kill: async () => {
      child.process.kill('SIGKILL');
      await child.exited;
    },
    stop: () => child.close(),
  };
}

/** A client who left is no failure, whatever its leaving broke. */
function isUnexpectedError(line: string): boolean {
  const { status, code } = entryIn(line) ?? { status: 500 };
  return status === 500 || (code === 'platform.internal-error' && levelOf(line) >= 50);
}

function levelOf(line: string): number {
  return entryIn(line)?.level ?? 60;
}

/** Undefined for what is no entry of the log: then something else wrote to the console, such as Node when it dies. */
function entryIn(line: string): { level?: number; status?: number; code?: string } | undefined {
  try {
    return JSON.parse(line) as { level: number };
  } catch {
    return undefined;
  }
}

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => linkOf(`${folder}/${name}`).startsWith('socket:')).length;
}

/** Empty for a descriptor that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
