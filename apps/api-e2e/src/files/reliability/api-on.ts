import { readdirSync, readlinkSync } from 'node:fs';
import { freePort, startApi } from '@homeport/dev-services';
import { settings } from '../../homeport';

/** A further API of the product under test, on a storage of the test's choice. */
export interface ApiOn {
  readonly url: string;
  readonly pid: number;
  /** Whether it has run without a break. */
  isAlive(): boolean;
  /** What it must never log: failures that nobody foresaw. */
  surprises(): string[];
  /** What it holds for a failure of its own or of its storage. */
  failures(): string[];
  /** Connections of its process, those it listens on included. */
  sockets(): number;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export async function apiOn(storage: Readonly<Record<string, string>>): Promise<ApiOn> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const lines: string[] = [];
  const api = await startApi({
    port,
    host: '127.0.0.1',
    publicUrl: url,
    env: { ...settings, ...storage, LOG_LEVEL: 'info', RATE_LIMIT_PER_USER: '0', RATE_LIMIT_PER_ADDRESS: '0' },
    onLog: (_service, line) => lines.push(line),
  });
  return {
    url,
    pid: api.pid,
    isAlive: () => api.process.exitCode === null && api.process.signalCode === null,
    surprises: () => lines.filter(isSurprise).map((line) => line.slice(0, 1_000)),
    failures: () => lines.filter((line) => levelOf(line) >= 50).map((line) => line.slice(0, 1_000)),
    sockets: () => socketsOf(api.pid),
    kill: async () => {
      api.process.kill('SIGKILL');
      await api.exited;
    },
    stop: () => api.close(),
  };
}

/** A client who left is no failure, whatever its leaving broke. */
function isSurprise(line: string): boolean {
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
