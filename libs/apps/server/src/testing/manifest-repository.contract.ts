import { describe, expect, it } from '@jest/globals';
import type { ManifestRepository } from '../deploys/application/manifest-repository.port';
import { DeployInterrupted } from '../deploys/domain/deploys.errors';
import { memberOf } from './app-fixture';
import { deployedFile, type DeployRepositoryHarness, digestOf, readyDeploy } from './deploy-fixtures';

const ABSENT = '00000000-0000-4000-8000-000000000000';
const FILES = ['b.html', 'a/～.js', 'a/😀.js'].map((path) => ({ path, size: path.length, digest: digestOf(path) }));
const COPY = { ...FILES[0]!, path: 'copy.html' };

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
    it('returns the files in the order of the UTF-8 bytes of their paths', async () => {
      const { id } = await begin();
      await open().manifests.add(id, [COPY, ...FILES]);
      expect(await open().manifests.filesOf(id)).toEqual([FILES[1], FILES[2], FILES[0], COPY]);
      expect(await open().manifests.filesOf(ABSENT)).toEqual([]);
    });

    it('finds the first file with a digest', async () => {
      const [{ id }, { id: other }] = [await begin(), await begin()];
      await open().manifests.add(id, [COPY, ...FILES]);
      expect(await open().manifests.findFile(id, COPY.digest)).toEqual(FILES[0]);
      expect(await open().manifests.findFile(id, digestOf('other'))).toBeUndefined();
      expect(await open().manifests.findFile(other, COPY.digest)).toBeUndefined();
    });

    it('fails a deploy whose last request was too long ago, and not before', async () => {
      const { member, id } = await begin();
      await open().manifests.add(id, FILES);
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
      await open().manifests.add(id, FILES);
      expect(await countOf()).toBe(1);
      await open().releases.finish(member, id, readyDeploy({ files: [deployedFile('index.html')] }));
      expect(await countOf()).toBe(0);
      // They stay for an hour, so that requests can be repeated.
      await open().manifests.removeEnded();
      expect(await open().manifests.filesOf(id)).toHaveLength(3);
    });

    it('adds no manifest to a deploy that has ended', async () => {
      const { member, id } = await begin();
      await open().releases.delete(member, id);
      for (const ended of [id, ABSENT]) {
        await expect(open().manifests.add(ended, FILES)).rejects.toBeInstanceOf(DeployInterrupted);
      }
    });
  });
}
