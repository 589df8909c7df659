import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { S3Client } from '@aws-sdk/client-s3';
import { accessTokenOf, removePostgresData, type RunningHomeport, startHomeport } from '@homeport/dev-services';
import { DeployClient } from './apps/deploy-client';

const VERIFY = resolve(import.meta.dirname, '../../../dist/api/apps/api/src/verify/main.js');

type Settings = Readonly<Record<string, string>>;

export interface InstallationOptions {
  /** Whether apps are also served by https. */
  readonly withTls?: boolean;
  /** Settings of services that the test has started. Default: embedded ones. */
  readonly env?: Settings;
}

/** A separate product with its data, as `npm start` runs it. */
export class Installation {
  #storage: S3Client | undefined;

  private constructor(
    private readonly dataDir: string,
    private readonly homeport: RunningHomeport,
    private readonly given: Settings,
  ) {}

  static async start({ withTls = false, env = {} }: InstallationOptions = {}): Promise<Installation> {
    const dataDir = await mkdtemp(join(tmpdir(), 'hp-product-'));
    try {
      const homeport = await startHomeport({
        dataDir,
        env: { PATH: process.env['PATH'], RUNTIME: 'off', ...env },
        ports: { dns: 0, identity: 0, postgres: 0, s3: 0 },
        port: 0,
        edgePort: 0,
        ...(withTls && { tlsPort: 0 }),
      });
      return new Installation(dataDir, homeport, env);
    } catch (error) {
      await removeData(dataDir);
      throw error;
    }
  }

  get url(): string {
    return this.homeport.url;
  }

  get edgePort(): number {
    return this.homeport.edgePort;
  }

  get tlsPort(): number {
    return this.homeport.tlsPort as number;
  }

  /** The settings of its programs. */
  get env(): Record<string, string> {
    return { ...(this.homeport.services.env as Settings), ...this.given, PUBLIC_URL: this.url };
  }

  token(person = 'ada'): Promise<string> {
    return accessTokenOf(this.url, person);
  }

  async deployer(person?: string): Promise<DeployClient> {
    return new DeployClient(await this.token(person), this.url);
  }

  /** The root certificate of the apps. */
  root(): Promise<Buffer> {
    return readFile(this.homeport.services.rootFile as string);
  }

  get bucket(): string {
    return this.env['S3_BUCKET'] as string;
  }

  get storage(): S3Client {
    const { S3_ENDPOINT = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = this.env;
    this.#storage ??= new S3Client({
      endpoint: S3_ENDPOINT,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
    });
    return this.#storage;
  }

  /** Runs the command that compares database, storage and zone. @param changes replace settings. */
  verify(args: readonly string[] = [], changes: Settings = {}) {
    return runVerify(args, { ...this.env, ...changes });
  }

  async close(): Promise<void> {
    this.#storage?.destroy();
    await this.homeport.close();
    await removeData(this.dataDir);
  }
}

async function removeData(dataDir: string): Promise<void> {
  await removePostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}

/** Runs the command that compares database, storage and zone. It needs no running API. */
export async function runVerify(args: readonly string[], env: Settings) {
  const child = spawn(process.execPath, [VERIFY, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = new Promise<number | null>((done) => child.once('close', done));
  const [code, output, errors] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, output, errors };
}
