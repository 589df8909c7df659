import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removePostgresData, type Services, startServices } from '@homeport/dev-services';
import { settings } from '../homeport';

/** A dedicated PostgreSQL server that a test may freeze and restart. */
export class DedicatedPostgres {
  private constructor(
    private readonly dataDir: string,
    private services: Services,
  ) {}

  static async start(): Promise<DedicatedPostgres> {
    const dataDir = await mkdtemp(join(tmpdir(), 'homeport-away-'));
    return new DedicatedPostgres(dataDir, await postgresIn(dataDir, 0));
  }

  get url(): string {
    return this.services.env['DATABASE_URL'] as string;
  }

  /** Suspends all processes: open connections stall, and new ones are not accepted. */
  async freeze(): Promise<void> {
    for (const pid of await this.#pids()) signal(pid, 'SIGSTOP');
    // Repeated for child processes that started meanwhile.
    for (const pid of await this.#pids()) signal(pid, 'SIGSTOP');
  }

  async thaw(): Promise<void> {
    for (const pid of await this.#pids()) signal(pid, 'SIGCONT');
  }

  stop(): Promise<void> {
    return this.services.close();
  }

  /** Restarts on the same port with the same data. */
  async restart(): Promise<void> {
    this.services = await postgresIn(this.dataDir, Number(new URL(this.url).port));
  }

  async remove(): Promise<void> {
    await this.thaw();
    await this.stop();
    await removePostgresData(this.dataDir);
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** The ids of the main process and its children; empty when it does not run. */
  async #pids(): Promise<number[]> {
    const lock = await readFile(join(this.dataDir, 'postgres/data/postmaster.pid'), 'utf8').catch(() => '');
    const main = Number(lock.split('\n')[0]);
    if (!main) return [];
    const numbers = (await readdir('/proc')).map(Number).filter(Boolean);
    const parents = await Promise.all(numbers.map(async (pid) => [pid, await parentOf(pid)] as const));
    return [main, ...parents.flatMap(([pid, parent]) => (parent === main ? [pid] : []))];
  }
}

/** Does nothing for a process that has ended meanwhile, such as that of a closed connection. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** NaN for a process that has ended meanwhile. */
async function parentOf(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function postgresIn(dataDir: string, port: number): Promise<Services> {
  return startServices({
    dataDir,
    publicUrl: 'http://localhost',
    ports: { postgres: port },
    env: { ...settings, DATABASE_URL: '' },
  });
}
