import { appendFile, chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupFailed } from '../errors.ts';
import { freePort } from '../ports.ts';
import { isRoot, unprivilegedAccount } from '../postgres/account.ts';
import type { Account } from '../postgres/account.ts';
import { installAdvice, runTool, startDaemon } from '../system-programs.ts';
import type { Daemon } from '../system-programs.ts';
import { waitUntilReady } from '../wait-until-ready.ts';
import { DEBIAN_POSTGRES } from './programs.ts';

const VERSIONS = '/usr/lib/postgresql';
const TRIES = 500;
const PAUSE_MILLISECONDS = 20;

/** A server of Debian's PostgreSQL in a temporary folder, on 127.0.0.1. */
export class DebianServer {
  readonly port: number;
  /** Also the folder of the socket. */
  readonly folder: string;
  /** The folder of the programs. */
  readonly bin: string;
  readonly #account: Account | undefined;
  #settings: string[] = [];
  #daemon: Daemon | undefined;

  private constructor(port: number, folder: string, bin: string, account: Account | undefined) {
    this.port = port;
    this.folder = folder;
    this.bin = bin;
    this.#account = account;
  }

  /** @throws {SetupFailed} with the package to install when it is missing. */
  static async prepare(): Promise<DebianServer> {
    const [port, bin, account] = [await freePort(), await programFolder(), await accountToUse()];
    const folder = await mkdtemp(join(tmpdir(), 'homeport-debian-postgres-'));
    if (account) await chown(folder, account.uid, account.gid);
    return new DebianServer(port, folder, bin, account);
  }

  /** Connections through the socket need no password. */
  async createData(): Promise<void> {
    const auth = ['--auth-local=trust', '--auth-host=scram-sha-256'];
    await this.#run('initdb', ['-D', this.data, '-U', 'postgres', ...auth, '-N']);
  }

  /** Moves the configuration out of the data, as Debian does; the server then also reads the files of `conf.d`. */
  async separateConfiguration(): Promise<void> {
    const file = join(this.folder, 'postgresql.conf');
    await rename(join(this.data, 'postgresql.conf'), file);
    await appendFile(file, "\ninclude_dir = 'conf.d'\n");
    await mkdir(this.configuration);
    if (this.#account) await chown(this.configuration, this.#account.uid, this.#account.gid);
    this.#settings = ['-c', `config_file=${file}`];
  }

  /** Copies the data of a running server, and follows its changes from then on. */
  async copyData({ folder, port }: DebianServer): Promise<void> {
    const from = ['-h', folder, '-p', `${port}`, '-U', 'postgres'];
    await this.#run('pg_basebackup', [...from, '-D', this.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync']);
  }

  async start(): Promise<void> {
    const { folder, port } = this;
    const server = [
      '-D',
      this.data,
      '-p',
      `${port}`,
      '-k',
      folder,
      '-c',
      'listen_addresses=127.0.0.1',
      ...this.#settings,
    ];
    // The change of the user clears the signal that startDaemon sets.
    const signal = ['--pdeathsig', 'KILL'];
    const program = [...this.#as, ...signal, join(this.bin, 'postgres'), ...server, '-c', 'fsync=off'];
    this.#daemon = startDaemon('setpriv', program, folder);
    await waitUntilReady(() => this.#isReady(), {
      tries: TRIES,
      pauseMilliseconds: PAUSE_MILLISECONDS,
      died: this.#daemon.died,
      late: () => new SetupFailed('PostgreSQL does not accept connections.'),
    });
  }

  /** Runs statements as the administrator. @throws {SetupFailed} with the error of a statement. */
  async execute(statements: string): Promise<void> {
    const file = join(this.folder, 'statements.sql');
    await writeFile(file, statements);
    if (this.#account) await chown(file, this.#account.uid, this.#account.gid);
    await this.psql('-q', '-f', 'statements.sql');
  }

  /** @returns the output. */
  psql(...args: string[]): Promise<string> {
    const { folder, port } = this;
    return this.#run('psql', ['-h', folder, '-p', `${port}`, '-U', 'postgres', '-v', 'ON_ERROR_STOP=1', ...args]);
  }

  /** Runs commands in its folder, with its programs and its user. @returns the output. */
  bash(commands: string): Promise<string> {
    const path = `PATH=${this.bin}:/usr/bin:/bin`;
    const settings = [path, `PGHOST=${this.folder}`, `PGPORT=${this.port}`, 'PGUSER=postgres'];
    return runTool('setpriv', [...this.#as, 'env', ...settings, 'bash', '-eu', '-c', commands], this.folder);
  }

  /** Ends connections, and archives the log if it is configured to. */
  async stop(): Promise<void> {
    await this.#run('pg_ctl', ['-D', this.data, '-m', 'fast', '-w', 'stop']);
    await this.#daemon?.close();
  }

  async kill(): Promise<void> {
    await this.#daemon?.kill();
  }

  async close(): Promise<void> {
    await this.#daemon?.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  get data(): string {
    return join(this.folder, 'data');
  }

  /** The folder of files with settings, after `separateConfiguration`. */
  get configuration(): string {
    return join(this.folder, 'conf.d');
  }

  get #as(): string[] {
    const account = this.#account;
    return account ? ['--reuid', `${account.uid}`, '--regid', `${account.gid}`, '--clear-groups'] : [];
  }

  #run(program: string, args: readonly string[]): Promise<string> {
    return runTool('setpriv', [...this.#as, join(this.bin, program), ...args], this.folder);
  }

  async #isReady(): Promise<boolean> {
    try {
      await this.psql('-c', 'select 1');
      return true;
    } catch (error) {
      if (error instanceof SetupFailed) return false;
      throw error;
    }
  }
}

async function programFolder(): Promise<string> {
  const versions = await readdir(VERSIONS).catch(() => []);
  const newest = versions.map(Number).sort((left, right) => right - left)[0];
  if (newest === undefined) throw new SetupFailed(installAdvice(DEBIAN_POSTGRES));
  return join(VERSIONS, `${newest}`, 'bin');
}

async function accountToUse(): Promise<Account | undefined> {
  return isRoot() ? unprivilegedAccount() : undefined;
}
