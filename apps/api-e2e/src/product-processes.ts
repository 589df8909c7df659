import { readdirSync, readlinkSync } from 'node:fs';
import { type Child, freePort, startApi, startEdge, startRuntime } from '@homeport/dev-services';
import { settings } from './homeport';

/** An additional process of the product under test. */
export interface ProductProcess {
  readonly pid: number;
  /** The path of the program. */
  readonly main: string;
  /** Whether it is still running. */
  isAlive(): boolean;
  /** Its exit code, or the signal that ended it; null while it runs. */
  ending(): number | string | null;
  /** All log lines. */
  logLines(): readonly string[];
  /** Log lines of internal and storage errors. */
  errorLines(): string[];
  /** Log lines of steps of its shutdown that hung or failed. */
  failedShutdownSteps(): string[];
  /** Number of open sockets, including listening ones. */
  sockets(): number;
  /** Number of open descriptors by what they refer to: `socket`, `pipe`, `anon_inode:[eventpoll]`, or a path. */
  descriptors(): Record<string, number>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** An additional API with the settings of a test. */
export interface ApiProcess extends ProductProcess {
  readonly url: string;
  /** Log lines of unexpected errors. There must be none. */
  unexpectedErrors(): string[];
}

/** An additional edge with the settings of a test. */
export interface EdgeProcess extends ProductProcess {
  readonly port: number;
}

interface ProcessOptions {
  /** The folder of the compiled programs. Default: the release under test. */
  readonly release?: string;
}

/** @param port default: a free port. */
export async function spawnApi(
  env: Readonly<Record<string, string>>,
  port?: number,
  options?: ProcessOptions,
): Promise<ApiProcess> {
  return spawnApiAt(port ?? (await freePort()), env, options);
}

async function spawnApiAt(
  port: number,
  env: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): Promise<ApiProcess> {
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const api = await startApi({
    ...options,
    port,
    host: '127.0.0.1',
    // Instances behind a load balancer share one address.
    publicUrl: env['PUBLIC_URL'] ?? url,
    env: { ...settings, ...env, LOG_LEVEL: 'info', RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' },
    onLog: (_service, line) => lines.push(line),
  });
  return {
    ...productProcess(api, lines),
    url,
    unexpectedErrors: () => lines.filter(isUnexpectedError).map((line) => line.slice(0, 1_000)),
  };
}

/** @param port default: a free port. */
export async function spawnEdge(
  env: Readonly<Record<string, string>>,
  port?: number,
  options?: ProcessOptions,
): Promise<EdgeProcess> {
  return spawnEdgeAt(port ?? (await freePort()), env, options);
}

async function spawnEdgeAt(
  port: number,
  env: Readonly<Record<string, string>>,
  options?: ProcessOptions,
): Promise<EdgeProcess> {
  const lines: string[] = [];
  const edge = await startEdge({
    ...options,
    port,
    host: '127.0.0.1',
    env: { ...settings, ...env, LOG_LEVEL: 'info' },
    onLog: (_service, line) => lines.push(line),
  });
  return { ...productProcess(edge, lines), port };
}

/** Starts an additional runtime. @param folder at most 50 bytes long; every user must be able to enter it. */
export async function spawnRuntime(
  folder: string,
  more: Readonly<Record<string, string>> = {},
  options?: ProcessOptions,
): Promise<ProductProcess> {
  const lines: string[] = [];
  const env = { ...settings, ...more, LOG_LEVEL: 'info' };
  const runtime = await startRuntime({ ...options, folder, env, onLog: (_service, line) => lines.push(line) });
  return productProcess(runtime, lines);
}

function productProcess(child: Child, lines: readonly string[]): ProductProcess {
  return {
    pid: child.pid,
    main: child.process.spawnargs.at(-1) ?? '',
    isAlive: () => endingOf(child) === null,
    ending: () => endingOf(child),
    logLines: () => lines,
    errorLines: () => lines.filter((line) => levelOf(line) >= 50).map((line) => line.slice(0, 1_000)),
    failedShutdownSteps: () => lines.filter((line) => line.includes('a shutdown step')),
    sockets: () => descriptorsOf(child.pid)['socket'] ?? 0,
    descriptors: () => descriptorsOf(child.pid),
    kill: async () => {
      child.process.kill('SIGKILL');
      await child.exited;
    },
    stop: () => child.close(),
  };
}

function endingOf({ process }: Child): number | string | null {
  return process.exitCode ?? process.signalCode;
}

/** An aborted request is not an unexpected error, even when the abort caused other errors. */
function isUnexpectedError(line: string): boolean {
  const { status, code } = entryIn(line) ?? { status: 500 };
  return status === 500 || (code === 'platform.internal-error' && levelOf(line) >= 50);
}

function levelOf(line: string): number {
  return entryIn(line)?.level ?? 60;
}

/** Parses a log line. Undefined for other output, for example of Node.js when it crashes. */
function entryIn(line: string): { level?: number; status?: number; code?: string } | undefined {
  try {
    return JSON.parse(line) as { level: number };
  } catch {
    return undefined;
  }
}

function descriptorsOf(pid: number): Record<string, number> {
  const folder = `/proc/${pid}/fd`;
  const counts: Record<string, number> = {};
  for (const name of readdirSync(folder)) {
    const kind = linkOf(`${folder}/${name}`).replace(/:\[\d+\]$/, '');
    if (kind !== '') counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

/** Empty for a descriptor that was closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
