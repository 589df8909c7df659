import { describe, expect, it } from '@jest/globals';
import type { ManifestRepository } from '../deploys/application/manifest-repository.port';
import { DeployInterrupted } from '../deploys/domain/deploys.errors';
import { memberOf } from './app-fixture';
import type { ManifestFile } from '../deploys/domain/site-manifest';
import { deployedFile, type DeployRepositoryHarness, digestOf, filesOf, readyDeploy } from './deploy-fixtures';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const FILES = ['b.html', 'a/～.js', 'a/😀.js'].map((path) => ({ path, size: path.length, digest: digestOf(path) }));
const COPY = { ...FILES[0]!, path: 'copy.html' };
const LINKED = deployedFile('linked.html', '11111111-1111-4111-8111-111111111111');
const manifestOf = (...pending: readonly ManifestFile[]) => ({ pending, linked: [LINKED] });

let count = 0;

/** The contract of every `ManifestRepository` adapter. */
export function manifestRepositoryContract(
  name: string,
  open: () => Pick<DeployRepositoryHarness, 'deploys' | 'registry' | 'releases' | 'expireLease'> & {
    readonly manifests: ManifestRepository;
  },
): void {
  const begin = async () => {
    const member = memberOf(`manifests-${process.pid}-${count++}`);
    const { app } = await open().registry.register(member);
    return { member, id: (await open().deploys.begin(member, app.id)).id };
  };

  describe(`${name} as a manifest repository`, () => {
    it('returns the pending files in the order of the UTF-8 bytes of their paths', async () => {
      const [{ id }, { id: complete }, { id: other }] = [await begin(), await begin(), await begin()];
      await open().manifests.add(id, manifestOf(COPY, ...FILES));
      expect(await open().manifests.pendingFiles(id)).toEqual([FILES[1], FILES[2], FILES[0], COPY]);
      await open().manifests.add(complete, manifestOf());
      expect(await open().manifests.pendingFiles(complete)).toEqual([]);
      for (const without of [other, ABSENT]) expect(await open().manifests.pendingFiles(without)).toBeUndefined();
    });

    it('adds the linked files to the deploy, which gets the pending ones when it is finished', async () => {
      const { member, id } = await begin();
      await open().manifests.add(id, manifestOf(FILES[0]!));
      const finished = await open().releases.finish(member, id, readyDeploy({ files: [deployedFile('index.html')] }));
      expect(finished).toMatchObject({ fileCount: 2, totalBytes: LINKED.size + 'index.html'.length });
      const contents = await open().deploys.contentsOf(id);
      expect(filesOf(contents).map(({ path }) => path)).toEqual(['index.html', LINKED.path]);
    });

    it('finds a pending or linked file by its digest', async () => {
      const [{ id }, { id: other }] = [await begin(), await begin()];
      await open().manifests.add(id, manifestOf(COPY, ...FILES));
      expect([FILES[0], COPY]).toContainEqual(await open().manifests.findFile(id, COPY.digest));
      const { path, size, digest } = LINKED;
      expect(await open().manifests.findFile(id, digest)).toEqual({ path, size, digest });
      expect(await open().manifests.findFile(id, digestOf('other'))).toBeUndefined();
      expect(await open().manifests.findFile(other, COPY.digest)).toBeUndefined();
      await open().deploys.addFiles(other, [LINKED]);
      expect(await open().manifests.findFile(other, digest)).toBeUndefined();
    });

    it('fails a deploy whose last request was too long ago, and not before', async () => {
      const { member, id } = await begin();
      await open().manifests.add(id, manifestOf(...FILES));
      await open().expireLease(id);
      await open().manifests.renew(id);
      await open().deploys.failAbandoned();
      expect(await open().deploys.find(member.organization, id)).toMatchObject({ status: 'uploading' });
      await open().expireLease(id);
      await open().deploys.failAbandoned();
      const failed = await open().deploys.find(member.organization, id);
      expect(failed).toMatchObject({ status: 'failed', error: { code: 'aborted' } });
      await open().manifests.renew(id);
      expect(await open().deploys.find(member.organization, id)).toEqual(failed);
    });

    it('counts the unfinished deploys of an organization', async () => {
      const { member, id } = await begin();
      const countOf = () => open().manifests.countUnfinished(member.organization);
      expect(await countOf()).toBe(0);
      await open().manifests.add(id, manifestOf(...FILES));
      expect(await countOf()).toBe(1);
      await open().releases.finish(member, id, readyDeploy({ files: [deployedFile('index.html')] }));
      expect(await countOf()).toBe(0);
      // They stay for an hour, so that requests can be repeated.
      await open().manifests.removeEnded();
      expect(await open().manifests.pendingFiles(id)).toHaveLength(3);
    });

    it('keeps a failed deploy while it has a manifest', async () => {
      const { member, id } = await begin();
      await open().manifests.add(id, manifestOf(...FILES));
      await open().deploys.fail(id, { code: 'aborted', message: '' }, []);
      await open().deploys.removeFailed({ newest: 0, days: 0 });
      expect(await open().deploys.find(member.organization, id)).toMatchObject({ status: 'failed' });
    });

    it('adds no manifest to a deploy that has ended', async () => {
      const { member, id } = await begin();
      await open().releases.delete(member, id);
      for (const ended of [id, ABSENT]) {
        await expect(open().manifests.add(ended, manifestOf(...FILES))).rejects.toBeInstanceOf(DeployInterrupted);
      }
    });
  });
}
