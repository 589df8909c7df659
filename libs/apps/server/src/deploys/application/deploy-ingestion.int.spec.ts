import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DatabaseUnavailable } from '@homeport/kernel';
import { MinimumRate, RequestTooSlow, UPLOAD_MINIMUM_RATE } from '@homeport/kernel/node';
import { SpooledArchiveReader } from '../adapters/archive/spooled-archive-reader';
import { InMemoryAppRepository } from '../../registry/adapters/memory/in-memory-app-repository';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryBlobLedger } from '../../blobs/adapters/memory/in-memory-blob-ledger';
import { InMemoryDeployRepository } from '../adapters/memory/in-memory-deploy-repository';
import { AppNotFound } from '../../registry/domain/apps.errors';
import { ArchiveRejected } from '../domain/archive.errors';
import { BlobStorageUnavailable } from '@homeport/platform/server/blobs';
import { DeployInterrupted, DeploysUnavailable, UploadAborted } from '../domain/deploys.errors';
import { HostnamePolicy } from '../../shared/domain/hostname-policy';
import { filesOf } from '../../testing/deploy-fixtures';
import { deployUseCasesIn } from '../../testing/deploy-use-cases';
import { AppFixture, memberOf } from '../../testing/app-fixture';
import { tarGzOf } from '../../testing/archives/raw-tar';
import { RecordingBlobStore } from '@homeport/platform/server/testing';
import { ArchiveReader } from './archive-reader.port';
import { DeployIngestion, type ArchiveUpload, type DeployIngestionDependencies } from './deploy-ingestion';
import { SiteUnpacker } from './site-unpacker';
import { AppPresenter } from '../../shared/application/app-presenter';
import { SpoolFolder } from '../../blobs/application/spool-folder';
import { UploadSpool } from '../../blobs/application/upload-spool';

const ada = memberOf('northwind');
const MIB = 1024 * 1024;
const limits = { archiveBytes: 4 * MIB, unpackedBytes: 16 * MIB, files: 100, fileBytes: 8 * MIB };
const SITE = tarGzOf(
  { name: 'index.html', body: '<h1>Hello</h1>' },
  { name: 'app.js', body: 'answer(42);'.repeat(500) },
);
const HOSTILE = tarGzOf({ name: 'index.html', body: 'fine' }, { name: '../climbs.html', body: 'not' });
const LARGE = tarGzOf({ name: 'index.html', body: randomBytes(2 * MIB) });
const NO_SPACE = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** A minimum rate that is never enforced, because its clock does not advance. */
const unlimitedRate = () => new MinimumRate(UPLOAD_MINIMUM_RATE, { now: () => 0, schedule: () => () => undefined });

describe('DeployIngestion', () => {
  let store: InMemoryApps;
  let blobs: RecordingBlobStore;
  let deploys: InMemoryDeployRepository;
  let apps: InMemoryAppRepository;
  let ingestion: DeployIngestion;
  let appId: string;
  let folders: string[];
  let spools: SpoolFolder;
  let client: AbortController;

  beforeEach(async () => {
    store = new InMemoryApps();
    blobs = new RecordingBlobStore();
    deploys = new InMemoryDeployRepository(store);
    apps = new InMemoryAppRepository(store);
    appId = (await AppFixture.inMemory(store).register(ada)).app.id;
    client = new AbortController();
    folders = [];
    spools = new SpoolFolder();
    const createSpool = spools.createSpool.bind(spools);
    jest.spyOn(spools, 'createSpool').mockImplementation(async () => {
      const spool = await createSpool();
      folders.push(spool.folder);
      return spool;
    });
    ingestion = ingestionWith(new SpooledArchiveReader());
  });
  afterEach(async () => {
    jest.useRealTimers();
    jest.restoreAllMocks();
    await spools.close();
    for (const folder of folders) expect(existsSync(folder)).toBe(false);
  });

  const ingestionWith = (reader: ArchiveReader, changes: Partial<DeployIngestionDependencies> = {}) => {
    const unpacker = new SiteUnpacker({ reader, ledger: new InMemoryBlobLedger(store), blobs, limits });
    const domain = { domain: 'apps.example.com', cdnHostname: 'edge.example.com', edgePort: 8080, reserved: [] };
    return new DeployIngestion({
      ...deployUseCasesIn(store),
      deploys,
      unpacker,
      presenter: new AppPresenter(new HostnamePolicy(domain)),
      limits,
      spools,
      rate: unlimitedRate,
      ...changes,
    });
  };
  const uploadOf = (body: Buffer | Readable, changes: Partial<ArchiveUpload> = {}): ArchiveUpload => ({
    format: 'tar.gz',
    openBody: () => (Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body),
    size: undefined,
    ...{ activation: 'when-safe', source: undefined },
    clientSignal: client.signal,
    ...changes,
  });
  const upload = (body: Buffer | Readable, changes?: Partial<ArchiveUpload>) =>
    ingestion.upload(ada, appId, uploadOf(body, changes));
  const newest = async () => (await deploys.list('northwind', appId, { limit: 1 }))?.deploys[0];
  /** Waits for a deploy with this status. */
  const reached = async (status: string) => {
    for (let deploy = await newest(); ; deploy = await newest()) {
      if (deploy?.status === status) return deploy;
      await new Promise(setImmediate);
    }
  };
  /** A body that sends some bytes and then stalls. */
  const halfway = () => {
    const body = new PassThrough();
    body.write(SITE.subarray(0, 40));
    return body;
  };
  /** Expires the lease, and waits until the instance notices. */
  const loseLease = async (id: string) => {
    const deploy = store.deploys.get(id);
    if (deploy) store.deploys.set(id, { ...deploy, leaseUntil: 1 });
    await deploys.failAbandoned();
    await jest.advanceTimersByTimeAsync(8_000);
  };
  const fakeIntervals = () =>
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'setTimeout'],
    });

  it('creates a deploy from an upload and activates it', async () => {
    const deploy = await upload(SITE);
    expect(deploy).toMatchObject({ app_id: appId, status: 'ready', file_count: 2, created_by: 'ada' });
    expect(deploy.url).toBe(`https://pv--${deploy.id.replaceAll('-', '')}.apps.example.com`);
    expect(await apps.find('northwind', appId)).toMatchObject({ deployCount: 1, activeDeployId: deploy.id });
    const files = filesOf(await deploys.contentsOf(deploy.id));
    expect(files.map(({ path }) => path)).toEqual(['app.js', 'index.html']);
  });

  it('stops renewing its lease after success and after failure', async () => {
    const renew = jest.spyOn(deploys, 'renew');
    fakeIntervals();
    await upload(SITE);
    await expect(upload(HOSTILE)).rejects.toBeInstanceOf(ArchiveRejected);
    await jest.advanceTimersByTimeAsync(60_000);
    expect(renew).not.toHaveBeenCalled();
  });

  it('does not activate a deploy unless requested', async () => {
    await upload(SITE, { activation: 'never' });
    expect(await apps.find('northwind', appId)).toMatchObject({ deployCount: 1, activeDeployId: null });
  });

  it('stores only new blobs', async () => {
    await upload(SITE);
    expect(
      blobs.stored
        .splice(0)
        .map(({ encoding }) => encoding)
        .toSorted(),
    ).toEqual(['br', 'gzip', 'identity', 'identity']);
    await upload(SITE);
    expect(blobs.stored).toEqual([]);
    await upload(tarGzOf({ name: 'index.html', body: '<h1>Hello</h1>' }, { name: 'new.txt', body: 'new' }));
    expect(blobs.stored).toHaveLength(1);
  });

  it('stores nothing of a rejected archive, and records the reason', async () => {
    await expect(upload(HOSTILE)).rejects.toBeInstanceOf(ArchiveRejected);
    expect([blobs.stored, store.blobs.size]).toEqual([[], 0]);
    const deploy = await newest();
    expect(deploy).toMatchObject({ status: 'failed', error: { code: 'rejected' } });
    const { problems } = await deploys.contentsOf(deploy!.id);
    expect(problems).toEqual([{ path: '../climbs.html', line: null, reason: expect.any(String) }]);
  });

  it('notices a client that disconnects during the upload', async () => {
    const uploading = upload(halfway());
    await reached('uploading');
    client.abort();
    await expect(uploading).rejects.toBeInstanceOf(UploadAborted);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'aborted' } });
  });

  it('notices a broken connection', async () => {
    const body = halfway();
    const uploading = upload(body);
    while (body.listenerCount('error') === 0) await new Promise(setImmediate);
    body.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    await expect(uploading).rejects.toBeInstanceOf(UploadAborted);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'aborted' } });
  });

  it('reports a disk that cannot be written to as a server error', async () => {
    const body = halfway();
    const uploading = upload(body);
    while (body.listenerCount('error') === 0) await new Promise(setImmediate);
    body.destroy(Object.assign(new Error('read-only file system'), { code: 'EROFS' }));
    await expect(uploading).rejects.toMatchObject({ code: 'apps.deploys-unavailable', cause: { code: 'EROFS' } });
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  });

  it('continues without the client once the upload is complete', async () => {
    blobs.before = async () => client.abort();
    expect(await upload(SITE)).toMatchObject({ status: 'ready' });
  });

  it('reports a missing app when the app is deleted during the upload', async () => {
    const body = halfway();
    const uploading = upload(body);
    await reached('uploading');
    expect(await AppFixture.inMemory(store).remove(ada, { id: appId })).toBe(1);
    body.end(SITE.subarray(40));
    await expect(uploading).rejects.toBeInstanceOf(AppNotFound);
    expect(await newest()).toMatchObject({ status: 'archived' });
  });

  it('stops receiving when the lease is lost', async () => {
    fakeIntervals();
    const body = halfway();
    const refused = expect(upload(body)).rejects.toBeInstanceOf(DeployInterrupted);
    await loseLease((await reached('uploading')).id);
    await refused;
    expect(body.destroyed).toBe(true);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  });

  it('stops storing when the lease is lost', async () => {
    fakeIntervals();
    let tried = 0;
    const begun = Promise.withResolvers<undefined>();
    blobs.before = (signal) => {
      tried += 1;
      begun.resolve(undefined);
      return new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason as Error)));
    };
    const files = Array.from({ length: 50 }, (_, i) => ({ name: `${i}.txt`, body: `file ${i}` }));
    const refused = expect(upload(tarGzOf(...files))).rejects.toBeInstanceOf(DeployInterrupted);
    await begun.promise;
    await loseLease((await reached('processing')).id);
    await refused;
    expect(tried).toBeLessThanOrEqual(8);
    expect(blobs.stored).toEqual([]);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    expect(await apps.find('northwind', appId)).toMatchObject({ deployCount: 0, activeDeployId: null });
  });

  it('reports a storage failure', async () => {
    blobs.before = () => Promise.reject(new BlobStorageUnavailable());
    await expect(upload(SITE)).rejects.toBeInstanceOf(BlobStorageUnavailable);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'storage' } });
    blobs.before = () => Promise.resolve();
    expect(await upload(SITE)).toMatchObject({ status: 'ready' });
  });

  it('reports the error even when it cannot be recorded', async () => {
    jest.spyOn(deploys, 'fail').mockRejectedValue(new DatabaseUnavailable());
    await expect(upload(HOSTILE)).rejects.toBeInstanceOf(ArchiveRejected);
    expect(await newest()).toMatchObject({ status: 'processing' });
  });

  const registered = async (organization: string) => {
    const member = memberOf(organization);
    return { member, appId: (await AppFixture.inMemory(store).register(member)).app.id };
  };
  /** A body that stalls after these bytes. */
  const silent = (bytes: Buffer) => {
    const body = new PassThrough();
    if (bytes.length > 0) body.write(bytes);
    return body;
  };

  it('is not blocked by slow or silent uploads of other organizations', async () => {
    const stops = new AbortController();
    const slowUploads: Promise<unknown>[] = [];
    for (const organization of ['globex', 'acme', 'umbrella', 'initech']) {
      const { member, appId: id } = await registered(organization);
      for (const bytes of [Buffer.alloc(0), Buffer.from([0x1f]), Buffer.from([0x1f]), SITE.subarray(0, 40)]) {
        const slowUpload = ingestion.upload(member, id, uploadOf(silent(bytes), { clientSignal: stops.signal }));
        slowUploads.push(slowUpload.catch((error: unknown) => error));
      }
    }
    while (store.deploys.size < 16) await new Promise(setImmediate);
    for (let i = 0; i < 9; i += 1) expect(await upload(SITE)).toMatchObject({ status: 'ready' });
    stops.abort();
    for (const slowUpload of slowUploads) expect(await slowUpload).toBeInstanceOf(UploadAborted);
  });

  it('limits the concurrent uploads of one organization without blocking others', async () => {
    const bodies = Array.from({ length: 8 }, halfway);
    const uploads = Promise.all(bodies.map((body) => upload(body)));
    while (store.deploys.size < 8) await new Promise(setImmediate);
    await expect(upload(SITE)).rejects.toBeInstanceOf(DeploysUnavailable);
    expect(store.deploys.size).toBe(8);
    const other = await registered('globex');
    expect(await ingestion.upload(other.member, other.appId, uploadOf(SITE))).toMatchObject({ status: 'ready' });
    for (const body of bodies) body.end(SITE.subarray(40));
    expect((await uploads).map(({ status }) => status)).toEqual(Array(8).fill('ready'));
    expect(await upload(SITE)).toMatchObject({ status: 'ready' });
  });

  it('processes two deploys of one organization at a time, and others in parallel', async () => {
    const gate = Promise.withResolvers<undefined>();
    let storing = 0;
    blobs.before = () => (++storing <= 2 ? gate.promise : Promise.resolve());
    const site = (n: number) => tarGzOf({ name: 'index.html', body: `page ${n}` });
    const uploads = Promise.all([1, 2, 3, 4].map((n) => upload(site(n))));
    const statuses = () => [...store.deploys.values()].map(({ status }) => status);
    while (storing < 2 || store.deploys.size < 4) await new Promise(setImmediate);
    const other = await registered('globex');
    expect(await ingestion.upload(other.member, other.appId, uploadOf(SITE))).toMatchObject({ status: 'ready' });
    expect(statuses().filter((status) => status === 'processing')).toHaveLength(2);
    gate.resolve(undefined);
    expect((await uploads).map(({ status }) => status)).toEqual(Array(4).fill('ready'));
  });

  it('aborts an upload that is too slow', async () => {
    let runScheduled: () => void = () => undefined;
    let time = 0;
    const clock = {
      now: () => time,
      schedule: (run: () => void, delayMs: number) => {
        runScheduled = () => ((time += delayMs), run());
        return () => undefined;
      },
    };
    const options = { bytes: 1_000, windowMs: 10_000, graceMs: 0 };
    ingestion = ingestionWith(new SpooledArchiveReader(), { rate: () => new MinimumRate(options, clock) });
    const body = halfway();
    const uploading = upload(body);
    while (body.readableLength > 0) await new Promise(setImmediate);
    await new Promise(setImmediate);
    runScheduled();
    await expect(uploading).rejects.toBeInstanceOf(RequestTooSlow);
    expect(body.destroyed).toBe(true);
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'aborted' } });
  });

  describe('with a library that never settles', () => {
    class HangingReader extends ArchiveReader {
      readonly begun = Promise.withResolvers<undefined>();

      override examine(): Promise<never> {
        this.begun.resolve(undefined);
        return new Promise(() => undefined);
      }

      override extract(): Promise<never> {
        return new Promise(() => undefined);
      }
    }
    let hanging: HangingReader;
    beforeEach(() => {
      hanging = new HangingReader();
    });

    it.each([
      ['in total', { totalMs: 40, idleMs: 1_000_000 }],
      ['without progress', { totalMs: 1_000_000, idleMs: 40 }],
    ])('aborts processing that takes too long %s', async (_, processing) => {
      ingestion = ingestionWith(hanging, { processing });
      await expect(upload(SITE)).rejects.toMatchObject({ kind: 'timeout', code: 'apps.deploy-timeout' });
      expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    });

    it('aborts processing when the lease is lost, and releases its slots', async () => {
      fakeIntervals();
      ingestion = ingestionWith(hanging);
      const uploads = [1, 2, 3, 4, 5, 6, 7, 8].map(() =>
        expect(upload(SITE)).rejects.toBeInstanceOf(DeployInterrupted),
      );
      await hanging.begun.promise;
      while (store.deploys.size < 8) await new Promise(setImmediate);
      await expect(upload(SITE)).rejects.toBeInstanceOf(DeploysUnavailable);
      for (const { id, ...deploy } of store.deploys.values()) store.deploys.set(id, { id, ...deploy, leaseUntil: 1 });
      await deploys.failAbandoned();
      await jest.advanceTimersByTimeAsync(8_000);
      await Promise.all(uploads);
      const again = expect(upload(SITE)).rejects.toBeInstanceOf(DeployInterrupted);
      await reached('processing');
      ingestion.stop();
      await again;
    });

    it('aborts all uploads when the process stops, and leaves no files', async () => {
      ingestion = ingestionWith(hanging);
      const processing = expect(upload(SITE)).rejects.toMatchObject({ code: 'apps.deploy-interrupted' });
      const receiving = expect(upload(halfway())).rejects.toMatchObject({ code: 'apps.deploy-interrupted' });
      await hanging.begun.promise;
      ingestion.stop();
      await Promise.all([processing, receiving]);
      for (const { status, error } of store.deploys.values()) {
        expect({ status, code: error?.code }).toEqual({ status: 'failed', code: 'interrupted' });
      }
      await expect(upload(SITE)).rejects.toBeInstanceOf(DeployInterrupted);
    });
  });

  it('does not read a body whose declared size is too large', async () => {
    const openBody = jest.fn<() => Readable>();
    const refused = upload(SITE, { openBody, size: limits.archiveBytes + 1 });
    await expect(refused).rejects.toBeInstanceOf(ArchiveRejected);
    expect(openBody).not.toHaveBeenCalled();
    expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'rejected' } });
  });

  it('stops reading a body that exceeds the limit', async () => {
    let sent = 0;
    const endless = new Readable({
      read() {
        sent += MIB;
        this.push(randomBytes(MIB));
      },
    });
    await expect(upload(endless)).rejects.toBeInstanceOf(ArchiveRejected);
    expect([sent < limits.archiveBytes + 6 * MIB, endless.destroyed]).toEqual([true, true]);
  });

  it('starts nothing for an app that does not exist', async () => {
    const openBody = jest.fn<() => Readable>();
    const missing = ingestion.upload(memberOf('globex'), appId, uploadOf(SITE, { openBody }));
    await expect(missing).rejects.toBeInstanceOf(AppNotFound);
    expect([store.deploys.size, folders.length]).toEqual([0, 0]);
    expect(openBody).not.toHaveBeenCalled();
  });

  it('is unavailable when the disk is full, in every phase', async () => {
    const busy = async (body: Buffer) => {
      await expect(upload(body)).rejects.toBeInstanceOf(DeploysUnavailable);
      expect(await newest()).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
    };
    const { write } = UploadSpool.prototype;
    const full = jest.spyOn(UploadSpool.prototype, 'write').mockRejectedValueOnce(NO_SPACE);
    await busy(SITE);
    full.mockImplementationOnce(write).mockRejectedValueOnce(NO_SPACE);
    await busy(LARGE);
    expect(full).toHaveBeenCalledTimes(3);
    jest.spyOn(spools, 'createSpool').mockRejectedValueOnce(NO_SPACE);
    await busy(SITE);
  });
});
