import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import {
  accessTokenOf,
  DEBIAN_POSTGRES,
  findPrograms,
  type RunningHomeport,
  startDebianPostgres,
  startHomeport,
} from '@homeport/dev-services';
import { callAt } from '../homeport';
import { suiteSize, until } from '../suites';
import { DeployClient } from './deploy-client';
import { visitHost } from './visit';

const VERIFY = resolve(import.meta.dirname, '../../../../dist/api/apps/api/src/verify/main.js');
const PEOPLE = suiteSize(2, 6);
/** Apps that each person keeps before the backup begins. */
const KEPT = suiteSize(2, 20);
const run = promisify(execFile);
const withPostgres = (await findPrograms(DEBIAN_POSTGRES)) ? describe : describe.skip;

/** An installation on a machine with nothing but a database. */
class Machine {
  homeport!: RunningHomeport;
  readonly #closers: (() => Promise<unknown>)[] = [];
  databaseUrl = '';
  #dataDir = '';

  async prepare(): Promise<this> {
    const password = randomBytes(16).toString('hex');
    const postgres = await startDebianPostgres(
      `create role homeport login password '${password}';
       create database homeport owner homeport template template0 encoding 'UTF8' locale 'C.UTF-8';`,
    );
    this.#closers.push(() => postgres.close());
    this.databaseUrl = `postgres://homeport:${password}@127.0.0.1:${postgres.port}/homeport`;
    this.#dataDir = await mkdtemp(join(tmpdir(), 'hp-restore-'));
    this.#closers.push(() => rm(this.#dataDir, { recursive: true, force: true }));
    return this;
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<this> {
    const ports = { dns: 0, identity: 0, postgres: 0, s3: 0 };
    const env = { PATH: process.env['PATH'], RUNTIME: 'off', DATABASE_URL: this.databaseUrl, ...settings };
    this.homeport = await startHomeport({ dataDir: this.#dataDir, env, ports, port: 0, edgePort: 0 });
    this.#closers.push(() => this.homeport.close());
    return this;
  }

  get env(): Record<string, string> {
    return { ...this.homeport.services.env, DATABASE_URL: this.databaseUrl, PUBLIC_URL: this.homeport.url } as never;
  }

  async storage<T>(use: (client: S3Client, bucket: string) => Promise<T>): Promise<T> {
    const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_BUCKET } = this.env;
    const credentials = { accessKeyId: S3_ACCESS_KEY_ID ?? '', secretAccessKey: S3_SECRET_ACCESS_KEY ?? '' };
    const client = new S3Client({
      endpoint: S3_ENDPOINT ?? '',
      region: 'us-east-1',
      forcePathStyle: true,
      credentials,
    });
    try {
      return await use(client, S3_BUCKET ?? '');
    } finally {
      client.destroy();
    }
  }

  async verify(...args: string[]): Promise<string> {
    const child = spawn(process.execPath, [VERIFY, ...args], { env: this.env, stdio: ['ignore', 'pipe', 'inherit'] });
    return text(child.stdout);
  }

  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }
}

/** What `aws s3 sync` copies. */
function copyBucket(machine: Machine): Promise<Map<string, Uint8Array>> {
  return machine.storage(async (client, Bucket) => {
    const copy = new Map<string, Uint8Array>();
    let ContinuationToken: string | undefined;
    do {
      const page = await client.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
      for (const { Key = '' } of page.Contents ?? []) {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }));
        copy.set(Key, (await Body?.transformToByteArray()) ?? new Uint8Array());
      }
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    return copy;
  });
}

withPostgres('a backup that is taken while people deploy', () => {
  const source = new Machine();
  const target = new Machine();
  let folder: string;
  let isStopped = false;
  let people: Promise<void>[] = [];
  const kept: { app: App; page: string }[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-backup-'));
    await (await source.prepare()).start();
    const { url } = source.homeport;
    const ada = new DeployClient(await accessTokenOf(url, 'ada'), url);
    for (let i = 0; i < KEPT; i += 1) {
      const app = await ada.register('Kept');
      const page = `page of ${app.id}`;
      await ada.deploy(app.id, { 'index.html': page, 'same.txt': 'x'.repeat(3_000) });
      kept.push({ app, page });
    }
    people = Array.from({ length: PEOPLE }, async () => {
      while (!isStopped) {
        const app = await ada.register('Busy');
        await ada.deploy(app.id, { 'index.html': app.id, 'same.txt': 'x'.repeat(3_000) });
        await ada.delete(app.id);
      }
    });
  });
  afterAll(async () => {
    isStopped = true;
    await Promise.all(people);
    await source.close();
    await target.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('is restored on an empty machine as docs/backup.md says, and the verification finds nothing', async () => {
    const dump = join(folder, 'homeport.dump');
    await run('pg_dump', ['--format=custom', `--file=${dump}`, source.databaseUrl]);
    const copy = await copyBucket(source);
    isStopped = true;
    await Promise.all(people);
    const { SECRETS_KEYS = '' } = source.env;

    await target.prepare();
    await run('pg_restore', ['--no-owner', `--dbname=${target.databaseUrl}`, dump]);
    await target.start({ SECRETS_KEYS });
    await target.storage(async (client, Bucket) => {
      for (const [Key, Body] of copy) await client.send(new PutObjectCommand({ Bucket, Key, Body }));
    });
    expect(await target.verify('--repair')).toMatch(/^Repaired: /);
    await until(async () => (await target.verify()) === 'Nothing is wrong.\n');

    const { url, edgePort: port } = target.homeport;
    const token = await accessTokenOf(url, 'ada');
    for (const { app, page } of kept) {
      const restored = async () => (await (await callAt(url, `/api/apps/${app.id}`, { token })).json()) as App;
      // Records that are being restored are not compared.
      await until(async () => (await restored()).dns_status === 'dns-active');
      expect((await restored()).subdomain).toBe(app.subdomain);
      expect(await visitHost(app.hostname, '/', { port })).toMatchObject({ status: 200, body: page });
    }
  });
});
