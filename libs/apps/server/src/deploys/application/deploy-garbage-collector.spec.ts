import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryAppsUnitOfWork } from '../../shared/adapters/memory/in-memory-apps-unit-of-work';
import { InMemoryBlobLedger } from '../../blobs/adapters/memory/in-memory-blob-ledger';
import { InMemoryDeployRepository } from '../adapters/memory/in-memory-deploy-repository';
import { InMemoryManifestRepository } from '../adapters/memory/in-memory-manifest-repository';
import { BlobStorageUnavailable } from '@homeport/platform/server/blobs';
import { AppFixture, memberOf } from '../../testing/app-fixture';
import { deployedFile, DeployFixture, deployTo, newBlobDescriptor } from '../../testing/deploy-fixtures';
import { RecordingBlobStore } from '@homeport/platform/server/testing';
import type { NewBlob } from '../../blobs/application/blob-ledger.port';
import { DeployGarbageCollector } from './deploy-garbage-collector';

const ada = memberOf('northwind');
const signal = new AbortController().signal;

describe('DeployGarbageCollector', () => {
  let store: InMemoryApps;
  let blobs: RecordingBlobStore;
  let ledger: InMemoryBlobLedger;
  let deploys: InMemoryDeployRepository;
  let releases: DeployFixture;
  let garbageCollector: DeployGarbageCollector;
  let appId: string;

  beforeEach(async () => {
    store = new InMemoryApps();
    blobs = new RecordingBlobStore();
    ledger = new InMemoryBlobLedger(store);
    deploys = new InMemoryDeployRepository(store);
    const manifests = new InMemoryManifestRepository(store);
    releases = new DeployFixture(new InMemoryAppsUnitOfWork(store));
    garbageCollector = new DeployGarbageCollector({ deploys, manifests, ledger, blobs, retained: 1 });
    appId = (await AppFixture.inMemory(store).register(ada)).app.id;
  });

  /** Stores blobs whose last reservation is two days old. */
  const old = async (length: number): Promise<readonly NewBlob[]> => {
    const { missing } = await ledger.reserve('northwind', Array.from({ length }, newBlobDescriptor));
    for (const { key } of missing) await blobs.put(key, 'identity', Buffer.from('bytes'), signal);
    await ledger.markStored(missing.map(({ id }) => ({ id, brSize: undefined, gzipSize: undefined })));
    age();
    return missing;
  };
  const age = () => {
    for (const blob of store.blobs.values()) store.blobs.set(blob.id, { ...blob, usedAt: blob.usedAt - 172_800_000 });
  };
  const deploy = (blob: NewBlob) =>
    deployTo({ deploys, releases }, ada, appId, { files: [deployedFile('a.html', blob.id)] });

  it('removes the blobs of archived deploys from storage and ledger', async () => {
    const [first, second, third] = (await old(3)) as [NewBlob, NewBlob, NewBlob];
    for (const blob of [first, second, third]) await deploy(blob);
    // The newest is kept, and the previous one as the rollback target.
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 1, forgotten: 0, removed: 1 });
    expect(blobs.removed).toEqual([first.key]);
    expect([...store.blobs.keys()]).toEqual([second.id, third.id]);
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 0, removed: 0 });
  });

  it('removes failed deploys beyond the newest fifty of an app, or older than 30 days', async () => {
    const fail = async () => {
      const { id } = await deploys.begin(ada, appId);
      await deploys.fail(id, { code: 'rejected', message: 'No.' }, []);
      return id;
    };
    const ids: string[] = [];
    for (let i = 0; i < 52; i += 1) ids.push(await fail());
    const { id: ready } = await deployTo({ deploys, releases }, ada, appId);
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 2, removed: 0 });
    expect([...store.deploys.keys()]).toEqual([...ids.slice(2), ready]);
    const aged = store.deploys.get(ids[51]!)!;
    store.deploys.set(aged.id, { ...aged, createdAt: new Date(Date.now() - 31 * 86_400_000) });
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 1, removed: 0 });
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 0, removed: 0 });
  });

  it('continues until no unused blob is left', async () => {
    await old(1_203);
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 0, removed: 1_203 });
    expect(store.blobs.size).toBe(0);
  });

  it('forgets the removed blobs, and retries the others in the next run', async () => {
    const all = await old(20);
    const stuck = all[7] as NewBlob;
    blobs.beforeRemoval = async (key) => {
      if (key === stuck.key) throw new BlobStorageUnavailable();
    };
    await expect(garbageCollector.cleanUp()).rejects.toBeInstanceOf(BlobStorageUnavailable);
    expect([...store.blobs.keys()]).toEqual([stuck.id]);
    blobs.beforeRemoval = () => Promise.resolve();
    expect(await garbageCollector.cleanUp()).toEqual({ archived: 0, forgotten: 0, removed: 1 });
    expect(store.blobs.size).toBe(0);
  });

  it.each(['removeDeleted', 'archiveBeyond', 'removeFailed'] as const)(
    'runs the other steps when %s fails, and reports the first failure',
    async (step) => {
      const stuck = new Error('the deploy cannot be removed');
      jest.spyOn(deploys, step).mockRejectedValueOnce(stuck);
      const steps = [jest.spyOn(deploys, 'archiveBeyond'), jest.spyOn(deploys, 'removeFailed')];
      await old(3);
      blobs.beforeRemoval = () => Promise.reject(new BlobStorageUnavailable());
      await expect(garbageCollector.cleanUp()).rejects.toBe(stuck);
      for (const each of steps) expect(each).toHaveBeenCalledTimes(1);
      blobs.beforeRemoval = () => Promise.resolve();
      jest.spyOn(deploys, step).mockRejectedValueOnce(stuck);
      await expect(garbageCollector.cleanUp()).rejects.toBe(stuck);
      expect(store.blobs.size).toBe(0);
    },
  );

  it('marks uploads as failed when their lease has expired', async () => {
    const { id } = await deploys.begin(ada, appId);
    expect(await garbageCollector.failAbandoned()).toBe(0);
    const begun = store.deploys.get(id);
    if (begun) store.deploys.set(id, { ...begun, leaseUntil: 1 });
    expect(await garbageCollector.failAbandoned()).toBe(1);
    expect(await deploys.find('northwind', id)).toMatchObject({ status: 'failed', error: { code: 'interrupted' } });
  });
});
