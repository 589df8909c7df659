import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { DEBIAN_POSTGRES, findPrograms, startDebianPostgres } from '@homeport/dev-services';
import { GuidePage } from '../guide-page';
import { callAt } from '../homeport';
import { Installation } from '../installation';
import { suiteSize, until } from '../suites';
import { visitHost } from './visit';

const PEOPLE = suiteSize(2, 6);
/** Apps that each person keeps before the backup begins. */
const KEPT = suiteSize(2, 20);
const guide = new GuidePage('docs/backup.md');
const run = promisify(execFile);
const withPostgres = (await findPrograms(DEBIAN_POSTGRES)) ? describe : describe.skip;

/** An empty database of Debian's PostgreSQL, as the page creates it. */
async function emptyDatabase(): Promise<{ url: string; close(): Promise<void> }> {
  const password = randomBytes(16).toString('hex');
  const statements = guide.blockOf('text', 'create role');
  const { port, close } = await startDebianPostgres(
    guide.replaced(statements, { '<the database password>': password }),
  );
  return { url: `postgres://homeport:${password}@127.0.0.1:${port}/homeport`, close };
}

/** Runs the block of the page with the text in a folder, after the block that takes the settings from the file. */
async function runDocumented(text: string, folder: string, settings: Readonly<Record<string, string>>) {
  const file = join(folder, 'common.env');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(file, lines.join(''));
  const preparation = guide.replaced(guide.blockOf('bash', 'setting()'), { '/etc/homeport/common.env': file });
  const commands = `${preparation}\n${guide.blockOf('bash', text)}`;
  return run('bash', ['-e', '-c', commands], { cwd: folder, env: { PATH: process.env['PATH'] } });
}

/** Copies what `aws s3 sync` copies. @returns the file of each key. */
async function copyBucket({ storage, bucket: Bucket }: Installation, folder: string): Promise<Map<string, string>> {
  const copy = new Map<string, string>();
  let ContinuationToken: string | undefined;
  do {
    const page = await storage.send(new ListObjectsV2Command({ Bucket, ContinuationToken }));
    for (const { Key = '' } of page.Contents ?? []) {
      const { Body } = await storage.send(new GetObjectCommand({ Bucket, Key }));
      const file = join(folder, `object-${copy.size}`);
      await pipeline(Body as Readable, createWriteStream(file));
      copy.set(Key, file);
    }
    ContinuationToken = page.NextContinuationToken;
  } while (ContinuationToken !== undefined);
  return copy;
}

withPostgres('a backup that is taken while people deploy', () => {
  const started = new AsyncDisposableStack();
  let sourceUrl: string;
  let source: Installation;
  let folder: string;
  let isStopped = false;
  let people: Promise<void>[] = [];
  const kept: { app: App; page: string }[] = [];

  const database = async () => {
    const { url, close } = await emptyDatabase();
    started.defer(close);
    return url;
  };
  const install = async (env: Readonly<Record<string, string>>) => {
    const installation = await Installation.start({ env });
    started.defer(() => installation.close());
    return installation;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hp-backup-'));
    started.defer(() => rm(folder, { recursive: true, force: true }));
    sourceUrl = await database();
    source = await install({ DATABASE_URL: sourceUrl });
    const ada = await source.deployer();
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
    await started.disposeAsync();
  });

  it('is restored on an empty machine as docs/backup.md says, and the verification finds nothing', async () => {
    const { stdout } = await runDocumented('pg_dump', folder, source.env);
    expect(stdout).toBe('The dump can be read.\n');
    const copy = await copyBucket(source, folder);
    isStopped = true;
    await Promise.all(people);
    const { SECRETS_KEYS = '' } = source.env;

    const targetUrl = await database();
    await runDocumented('pg_restore --no-owner', folder, { ...source.env, DATABASE_URL: targetUrl });
    const target = await install({ DATABASE_URL: targetUrl, SECRETS_KEYS });
    const { storage, bucket: Bucket } = target;
    for (const [Key, file] of copy)
      await storage.send(new PutObjectCommand({ Bucket, Key, Body: await readFile(file) }));
    expect((await target.verify(['--repair'])).output).toMatch(/^Repaired: /);
    await until(async () => (await target.verify()).output === 'Nothing is wrong.\n');

    const { url, edgePort: port } = target;
    const token = await target.token();
    for (const { app, page } of kept) {
      const restored = async () => (await (await callAt(url, `/api/apps/${app.id}`, { token })).json()) as App;
      // Records that are being restored are not compared.
      await until(async () => (await restored()).dns_status === 'dns-active');
      expect((await restored()).subdomain).toBe(app.subdomain);
      expect(await visitHost(app.hostname, '/', { port })).toMatchObject({ status: 200, body: page });
    }
  });
});
