import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import {
  createDebianCluster,
  DEBIAN_POSTGRES,
  type DebianServer,
  findPrograms,
  startServices,
} from '@homeport/dev-services';
import { GuidePage } from '../guide-page';
import { callAt } from '../homeport';
import { Installation, runVerify } from '../installation';
import { suiteSize, until } from '../suites';
import type { DeployClient } from './deploy-client';
import { visitHost } from './visit';

const PEOPLE = suiteSize(2, 6);
/** Apps that are registered before the base backup, and as many after it. */
const KEPT = suiteSize(2, 20);
const FILE = 'notes.txt';
const guide = new GuidePage('docs/backup.md');
const withPostgres = (await findPrograms(DEBIAN_POSTGRES)) ? describe : describe.skip;

/** Reads it from the bucket: another identity service names other workspaces. */
async function fileContent({ storage, bucket: Bucket }: Installation): Promise<string | undefined> {
  const { Contents = [] } = await storage.send(new ListObjectsV2Command({ Bucket, Prefix: 'u/' }));
  const Key = Contents.find(({ Key: key = '' }) => key.endsWith(`/${FILE}`))?.Key;
  return (await storage.send(new GetObjectCommand({ Bucket, Key }))).Body?.transformToString();
}

interface KeptApp {
  readonly app: App;
  readonly page: string;
}

withPostgres('a restore of the time before apps were deleted, as docs/backup.md says', () => {
  const started = new AsyncDisposableStack();
  const password = randomBytes(16).toString('hex');
  const kept: KeptApp[] = [];
  let backup: string;
  /** The settings of the bucket, of the zone and of the keys, which a restore does not change. */
  let remaining: Record<string, string>;
  let original: DebianServer;
  let source: Installation;
  let ada: DeployClient;
  let late: App;
  let time: string;
  let isStopped = false;
  let people: Promise<void>[] = [];

  const newCluster = async () => {
    const cluster = await createDebianCluster();
    started.defer(() => cluster.close());
    return cluster;
  };
  const databaseOf = ({ port }: DebianServer) => `postgres://homeport:${password}@127.0.0.1:${port}/homeport`;
  const install = async (cluster: DebianServer) => {
    const installation = await Installation.start({ env: { ...remaining, DATABASE_URL: databaseOf(cluster) } });
    started.defer(() => installation.close());
    return installation;
  };

  /** The block of the page with the folders of the test. */
  const documented = ({ bin, configuration, data }: DebianServer, language: string, text: string) => {
    const places = {
      '/usr/lib/postgresql/15/bin': bin,
      '/etc/postgresql/15/main/conf.d': configuration,
      '/var/lib/postgresql/15/main': data,
      '/backup/': `${backup}/`,
    };
    const block = guide.blockOf(language, text);
    return guide.replaced(block, Object.fromEntries(Object.entries(places).filter(([place]) => block.includes(place))));
  };
  const configure = (cluster: DebianServer, name: string, values: Readonly<Record<string, string>> = {}) => {
    const text = documented(cluster, 'ini', `# /etc/postgresql/15/main/conf.d/${name}`);
    return writeFile(join(cluster.configuration, name), guide.replaced(text, values));
  };
  const copyDatabase = (cluster: DebianServer) => cluster.bash(documented(cluster, 'bash', 'pg_basebackup'));
  const copies = async () => (await readdir(join(backup, 'base'))).sort();

  const keep = async () => {
    for (let i = 0; i < KEPT; i += 1) {
      const app = await ada.register('Kept');
      const page = `page of ${app.id}`;
      await ada.deploy(app.id, { 'index.html': page, 'same.txt': 'x'.repeat(3_000) });
      kept.push({ app, page });
    }
  };
  const write = (base: string, token: string, body: string) =>
    callAt(base, `/api/files/${FILE}`, { token, method: 'PUT', body });

  beforeAll(async () => {
    original = await newCluster();
    backup = join(original.folder, 'backup');
    await original.bash(`mkdir -p ${backup}/wal ${backup}/base`);
    await configure(original, 'archive.conf');
    await original.start();
    const roles = guide.blockOf('text', 'create role');
    await original.execute(guide.replaced(roles, { '<the database password>': password }));
    const dataDir = await mkdtemp(join(tmpdir(), 'hp-storage-'));
    started.defer(() => rm(dataDir, { recursive: true, force: true }));
    const env = { PATH: process.env['PATH'], DATABASE_URL: databaseOf(original), AUTH_ISSUER: 'none' };
    const services = await startServices({ dataDir, publicUrl: 'http://localhost', ports: { dns: 0, s3: 0 }, env });
    started.defer(() => services.close());
    remaining = services.env;
    source = await install(original);
    ada = await source.deployer();
  });
  afterAll(async () => {
    isStopped = true;
    await Promise.all(people);
    await started.disposeAsync();
  });

  const deployMeanwhile = async () => {
    while (!isStopped) {
      const app = await ada.register('Busy');
      await ada.deploy(app.id, { 'index.html': app.id, 'same.txt': 'x'.repeat(3_000) });
      await ada.delete(app.id);
    }
  };

  it('begins with a copy of the database, while people deploy', async () => {
    await keep();
    expect((await write(source.url, ada.token, 'before')).ok).toBe(true);
    people = Array.from({ length: PEOPLE }, deployMeanwhile);
    await copyDatabase(original);
    expect(await copies()).toHaveLength(1);
    await keep();
    // Records that are being created are not compared.
    for (const { app } of kept) await until(async () => (await ada.app(app.id)).body.dns_status === 'dns-active');
    time = (await original.psql('-At', '-c', 'select clock_timestamp()')).trim();
  });

  it('continues with the mistake, after which the log is archived', async () => {
    isStopped = true;
    await Promise.all(people);
    for (const { app } of kept) await ada.delete(app.id);
    late = await ada.register('Late');
    await ada.deploy(late.id, { 'index.html': 'a page that no copy of the database knows' });
    expect((await write(source.url, ada.token, 'after')).ok).toBe(true);
    await until(async () => (await source.verify()).output === 'Nothing is wrong.\n');
    const units = documented(original, 'bash', 'systemctl stop');
    expect(units).toBe("systemctl stop 'homeport-*'\nsystemctl stop postgresql@15-main\n");
    await source.close();
    await original.stop();
  });

  it('ends with the apps of that time, and the verification finds nothing', async () => {
    const machine = await newCluster();
    await configure(machine, 'archive.conf');
    const [copy = ''] = await copies();
    await machine.bash(guide.replaced(documented(machine, 'bash', 'recovery.signal'), { '<the copy>': copy }));
    await configure(machine, 'restore.conf', { '<the time, such as 2026-11-29 10:15:00+00>': time });
    expect(documented(machine, 'bash', 'systemctl start postgresql')).toBe('systemctl start postgresql@15-main\n');
    await machine.start();
    await machine.bash(documented(machine, 'bash', 'pg_is_in_recovery'));
    await copyDatabase(machine);

    const env = { ...source.env, DATABASE_URL: databaseOf(machine) };
    const found = (await runVerify([], env)).output;
    const faults = found.match(/^fault: .*$/gm) ?? [];
    for (const { app } of kept) expect(found).toContain(`fault: app ${app.subdomain}. Its DNS record is missing`);
    expect(faults.filter((fault) => !fault.startsWith('fault: app '))).toEqual([]);
    expect(found).toContain(`surplus: DNS record ${late.subdomain}.`);
    expect(found).toContain('surplus: blob ');

    const target = await install(machine);
    expect((await target.verify(['--repair'])).output).toMatch(/^Repaired: /);
    await until(async () => (await target.verify()).output === 'Nothing is wrong.\n');
    const restored = await target.deployer();
    for (const { app, page } of kept) {
      await until(async () => (await restored.app(app.id)).body.dns_status === 'dns-active');
      expect(await visitHost(app.hostname, '/', { port: target.edgePort })).toMatchObject({ status: 200, body: page });
    }
    expect((await restored.app(late.id)).status).toBe(404);
    expect(await fileContent(target)).toBe('after');
  });

  it('leaves an archive from which the log before the oldest copy can be deleted', async () => {
    const [oldest = '', newest = ''] = await copies();
    const label = await original.bash(`cat ${join(backup, 'base', newest, 'backup_label')}`);
    const [, first = ''] = /^START WAL LOCATION: .*\(file (\w+)\)$/m.exec(label) ?? [];
    // The first eight digits are those of the timeline.
    const isOld = (name: string) => /^\w{24}\.gz$/.test(name) && name.slice(8, 24) < first.slice(8);
    const oldLog = async () => (await readdir(join(backup, 'wal'))).filter(isOld);
    expect(await oldLog()).not.toEqual([]);
    await rm(join(backup, 'base', oldest), { recursive: true });
    await original.bash(documented(original, 'bash', 'pg_archivecleanup'));
    expect(await oldLog()).toEqual([]);
  });
});
