import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AppType } from '@homeport/apps/contracts';
import { RecordingBlobStore } from '@homeport/platform/server/testing';
import { InMemoryBlobLedger } from '../../blobs/adapters/memory/in-memory-blob-ledger';
import { SpoolFolder } from '../../blobs/application/spool-folder';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { AppPresenter } from '../../shared/application/app-presenter';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { AppFixture, memberOf, newApp } from '../../testing/app-fixture';
import { tarGzOf } from '../../testing/archives/raw-tar';
import { filesOf } from '../../testing/deploy-fixtures';
import { deployUseCasesIn } from '../../testing/deploy-use-cases';
import { SpooledArchiveReader } from '../adapters/archive/spooled-archive-reader';
import { InMemoryDeployRepository } from '../adapters/memory/in-memory-deploy-repository';
import { InMemoryStartChecks, PASSED } from '../adapters/memory/in-memory-start-checks';
import type { ActivationPolicy } from '../domain/activation';
import { DeploysUnavailable } from '../domain/deploys.errors';
import { NoServer, StartFailed, UnsupportedServerBuild } from '../../server-detection/domain/server-detection.errors';
import { DeployIngestion } from './deploy-ingestion';
import { SiteUnpacker } from './site-unpacker';
import type { StartCheck } from './start-checks.port';

const ada = memberOf('northwind');
const MIB = 1024 * 1024;
const limits = { archiveBytes: 4 * MIB, unpackedBytes: 16 * MIB, files: 100, fileBytes: 8 * MIB };
const NEXT = tarGzOf(
  { name: 'standalone/server.js', body: 'start()' },
  { name: 'standalone/package.json', body: '{}' },
  { name: 'standalone/.env', body: 'SECRET=1' },
  { name: 'standalone/.next/BUILD_ID', body: 'abc' },
  { name: 'standalone/.next/static/a.js', body: 'answer(42)' },
  { name: 'standalone/public/_redirects', body: '/old /new 301' },
  { name: 'standalone/node_modules/.prisma/client.js', body: 'client()' },
  { name: 'standalone/node_modules/.bin/next', type: '2', linkname: '../next/bin' },
);

let store: InMemoryApps;
let deploys: InMemoryDeployRepository;
let blobs: RecordingBlobStore;
let spools: SpoolFolder;
let checks: InMemoryStartChecks;
let time: number;

beforeEach(() => {
  store = new InMemoryApps();
  deploys = new InMemoryDeployRepository(store);
  blobs = new RecordingBlobStore();
  spools = new SpoolFolder();
  time = 0;
});
afterEach(() => spools.close());

/** @param startAs the check that a runtime reports for every deploy. */
async function upload(
  archive: Buffer,
  type: AppType,
  startAs: StartCheck | 'launched' | 'waiting' = PASSED,
  activation: ActivationPolicy = 'when-safe',
) {
  const { app } = await AppFixture.inMemory(store).register(ada, { ...newApp(), type });
  checks = new InMemoryStartChecks(() => (startAs === 'waiting' ? undefined : startAs));
  const hostnames = { domain: 'apps.example.com', cdnHostname: 'edge.example.com', edgePort: 8080, reserved: [] };
  // Each look at the clock takes a second, so that limits pass without waiting.
  const now = () => (time += 1_000);
  const ingestion = new DeployIngestion({
    ...deployUseCasesIn(store, { checks, now }),
    unpacker: new SiteUnpacker({
      reader: new SpooledArchiveReader(),
      ledger: new InMemoryBlobLedger(store),
      blobs,
      limits,
    }),
    presenter: new AppPresenter(new HostnamePolicy(hostnames)),
    limits,
    spools,
  });
  const deploy = ingestion.upload(ada, app.id, {
    format: 'tar.gz',
    openBody: () => Readable.from([archive], { objectMode: false }),
    size: archive.length,
    activation,
    source: undefined,
    clientSignal: new AbortController().signal,
  });
  // The caller may look at the deploy before it awaits the upload.
  deploy.catch(() => undefined);
  return { app, deploy };
}

const newest = async (appId: string) => (await deploys.list('northwind', appId, { limit: 1 }))?.deploys[0];

describe('a deploy of an SSR app', () => {
  it('goes live after its server was started once', async () => {
    const { app, deploy } = await upload(NEXT, 'ssr');
    const uploaded = await deploy;
    expect(uploaded).toMatchObject({ status: 'ready', framework: 'next', problem_count: 0 });
    expect(uploaded.activation).toEqual({ activated: true, reason: null });
    expect(store.apps.get(app.id)).toMatchObject({ activeDeployId: uploaded.id });
  });

  it.each([
    ['when-safe', 'production'],
    ['always', 'production'],
    ['never', 'preview'],
  ] as const)('is started with the variables of its scope: %s, %s', async (activation, scope) => {
    const { deploy } = await upload(NEXT, 'ssr', PASSED, activation);
    expect(store.deploys.get((await deploy).id)).toMatchObject({ startScope: scope });
  });

  it('keeps the files of the server apart from those that visitors see', async () => {
    const { deploy } = await upload(NEXT, 'ssr');
    const { id } = await deploy;
    const roles = store.deploys.get(id)?.files.map(({ path, role = 'static', blobId }) => [path, role, !!blobId]);
    expect(roles?.sort()).toEqual([
      ['.next/BUILD_ID', 'server', true],
      ['_next/static/a.js', 'static', true],
      ['_redirects', 'static', false],
      ['node_modules/.prisma/client.js', 'server', true],
      ['package.json', 'server', true],
      ['server.js', 'server', true],
    ]);
    const listed = filesOf(await deploys.contentsOf(id)).map(({ path }) => path);
    expect(listed).toEqual(expect.arrayContaining(['.next/static/a.js', 'public/_redirects', 'server.js']));
    expect((await deploys.rulesOf(id)).redirects).toHaveLength(1);
  });

  it('is starting, and not live, until the check ends', async () => {
    const { app, deploy } = await upload(NEXT, 'ssr', 'launched');
    for (;;) {
      const current = await newest(app.id);
      if (current?.status === 'starting') {
        expect(current).toMatchObject({ framework: 'next', readyAt: undefined });
        expect(store.apps.get(app.id)).toMatchObject({ activeDeployId: null });
        checks.record(current.id, PASSED);
        break;
      }
      await new Promise(setImmediate);
    }
    await expect(deploy).resolves.toMatchObject({ status: 'ready' });
  });

  it('fails with the last lines of the log when the server does not start', async () => {
    const log = Array.from({ length: 60 }, (_, line) => `line ${line}`);
    const { app, deploy } = await upload(NEXT, 'ssr', { hasPassed: false, reason: 'It exited with code 1.', log });
    const error = await deploy.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StartFailed);
    expect(error).toMatchObject({ message: 'It exited with code 1.', log: log.slice(-50) });
    const failed = { code: 'start-failed', message: 'It exited with code 1.', log: log.slice(-50) };
    expect(await newest(app.id)).toMatchObject({ status: 'failed', framework: 'next', error: failed });
    expect(store.apps.get(app.id)).toMatchObject({ activeDeployId: null, deployCount: 0 });
  });

  it.each(['waiting', 'launched'] as const)('is unavailable when no runtime ends its start: %s', async (startAs) => {
    const { app, deploy } = await upload(NEXT, 'ssr', startAs);
    const settled = deploy.then(
      () => 'ready',
      (error: unknown) => error,
    );
    let outcome: unknown;
    void settled.then((result) => (outcome = result));
    while (outcome === undefined) {
      const current = await newest(app.id);
      // A notification that says nothing new: the clock decides.
      if (current?.status === 'starting' && startAs === 'launched') checks.record(current.id, startAs);
      if (current?.status === 'starting' && startAs === 'waiting') checks.record('another deploy', PASSED);
      await new Promise(setImmediate);
    }
    expect(outcome).toBeInstanceOf(DeploysUnavailable);
    expect(time).toBeGreaterThan(startAs === 'launched' ? 120_000 : 30_000);
    expect(time).toBeLessThan(startAs === 'launched' ? 130_000 : 40_000);
    expect(await newest(app.id)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  });

  it('fails without a server, or with one that cannot be started', async () => {
    const plain = await upload(tarGzOf({ name: 'index.html', body: 'hello' }), 'ssr');
    await expect(plain.deploy).rejects.toBeInstanceOf(NoServer);
    expect(await newest(plain.app.id)).toMatchObject({ status: 'failed', error: { code: 'no-server' } });
    const archive = tarGzOf({ name: 'server.js', body: 'start()' }, { name: '.next/BUILD_ID', body: 'abc' });
    const incomplete = await upload(archive, 'ssr');
    await expect(incomplete.deploy).rejects.toBeInstanceOf(UnsupportedServerBuild);
    expect(await newest(incomplete.app.id)).toMatchObject({ status: 'failed', error: { code: 'unsupported-server' } });
  });

  it('starts no server of a static app, and warns about it', async () => {
    const archive = tarGzOf({ name: 'server/entry.mjs', body: 'start()' }, { name: 'client/a.css', body: 'a{}' });
    const { deploy } = await upload(archive, 'static');
    const { id } = await deploy;
    expect(await newest((await deploy).app_id)).toMatchObject({ status: 'ready', framework: undefined });
    const { problems } = await deploys.contentsOf(id);
    expect(problems).toEqual(expect.arrayContaining([expect.objectContaining({ path: 'server/entry.mjs' })]));
  });
});
