import { describe, expect, it } from '@jest/globals';
import type { BlobDescriptor, NewBlob, UnusedBlob } from '../application/blobs/blob-ledger.port';
import { blobKey } from '../domain/blobs/blob-key';
import { memberOf, newApp } from './app-repository.contract';
import { deployedFile, deployTo, newBlobDescriptor, type DeployRepositoryHarness } from './deploy-fixtures';

const OVER_A_DAY_HOURS = 25;
const BATCH_LIMIT = 10_000;

let count = 0;
const fresh = () => `ledger-${process.pid}-${count++}`;
const descriptorsOf = (length: number) => Array.from({ length }, newBlobDescriptor);
const idsOf = (blobs: readonly { readonly id: string }[]) => blobs.map(({ id }) => id).toSorted();
const digestsOf = (blobs: readonly { readonly digest: string }[]) => blobs.map(({ digest }) => digest).toSorted();

/** What every adapter of `BlobLedger` must do. */
export function blobLedgerContract(name: string, open: () => DeployRepositoryHarness): void {
  const claim = (organization: string, descriptors: readonly BlobDescriptor[]) =>
    open().ledger.reserve(organization, descriptors);
  const markStored = (blobs: readonly NewBlob[]) =>
    open().ledger.markStored(blobs.map(({ id }) => ({ id, brSize: 10, gzipSize: undefined })));
  /** Bytes that the organization has. */
  const stored = async (organization: string, descriptors: readonly BlobDescriptor[]) => {
    const { missing } = await claim(organization, descriptors);
    await markStored(missing);
    return missing;
  };
  const taken = async (among: readonly { readonly id: string }[]): Promise<UnusedBlob[]> => {
    const ids = new Set(among.map(({ id }) => id));
    return (await open().ledger.takeUnused(BATCH_LIMIT)).filter(({ id }) => ids.has(id));
  };

  describe(`${name} as a ledger of blobs`, () => {
    it('announces what nobody has stored, under keys of its own', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(3);
      const { stored: found, missing } = await claim(organization, descriptors);
      expect(found).toEqual([]);
      expect(digestsOf(missing)).toEqual(digestsOf(descriptors));
      for (const { id, digest, key } of missing) expect(key).toBe(blobKey(organization, digest, id));
      expect(new Set(idsOf(missing)).size).toBe(3);
      expect(await claim(organization, [])).toEqual({ stored: [], missing: [] });
    });

    it('finds what an organization has, and only for that one', async () => {
      const organization = fresh();
      const [known, unknown] = [descriptorsOf(2), descriptorsOf(2)];
      const blobs = await stored(organization, known);
      const again = await claim(organization, [...known, ...unknown]);
      expect(idsOf(again.stored)).toEqual(idsOf(blobs));
      expect(digestsOf(again.missing)).toEqual(digestsOf(unknown));
      const other = await claim(fresh(), known);
      expect(other.stored).toEqual([]);
      expect(idsOf(other.missing)).not.toEqual(idsOf(blobs));
    });

    it('does not count on what is being stored', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(2);
      const claims = await Promise.all([1, 2].map(() => claim(organization, descriptors)));
      const [one, two] = claims.map(({ missing }) => missing) as [NewBlob[], NewBlob[]];
      expect([one.length, two.length, new Set([...idsOf(one), ...idsOf(two)]).size]).toEqual([2, 2, 4]);
      await markStored([...one, ...two]);
      const { stored: found, missing } = await claim(organization, descriptors);
      expect(missing).toEqual([]);
      expect(digestsOf(found)).toEqual(digestsOf(descriptors));
    });

    it('takes what nobody has claimed for a day: what is stored, and what never was', async () => {
      const organization = fresh();
      const blobs = [
        ...(await stored(organization, descriptorsOf(2))),
        ...(await claim(organization, descriptorsOf(1))).missing,
      ];
      await open().ageBlobs(idsOf(blobs), 23);
      expect(await taken(blobs)).toEqual([]);
      await open().ageBlobs(idsOf(blobs), 2);
      const unused = await taken(blobs);
      expect(idsOf(unused)).toEqual(idsOf(blobs));
      for (const { id, key } of unused) expect(key).toBe(blobs.find((blob) => blob.id === id)?.key);
    });

    it('takes no more than it is asked for', async () => {
      const organization = fresh();
      const blobs = await stored(organization, descriptorsOf(7));
      await open().ledger.forget(await open().ledger.takeUnused(BATCH_LIMIT));
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      const sizes: number[] = [];
      for (let unused; (unused = await open().ledger.takeUnused(3)).length > 0;) {
        sizes.push(unused.length);
        await open().ledger.forget(unused);
      }
      expect(sizes).toEqual([3, 3, 1]);
    });

    it('finds what is unused among very much that is used', async () => {
      const member = memberOf(fresh());
      const { app } = await open().apps.register(member, newApp(), { quota: 10 });
      const blobs = await stored(member.organization, descriptorsOf(50));
      const [unused, ...used] = blobs.toReversed() as [NewBlob, ...NewBlob[]];
      await deployTo(open().deploys, member, app.id, { files: used.map(({ id }) => deployedFile(`${id}.js`, id)) });
      await open().ledger.forget(await open().ledger.takeUnused(BATCH_LIMIT));
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      await open().ageBlobs(idsOf(used), 1);
      expect(idsOf(await open().ledger.takeUnused(4))).toEqual([unused.id]);
    });

    it('keeps what is claimed, for whoever claims it', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(2);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      expect(idsOf((await claim(organization, descriptors)).stored)).toEqual(idsOf(blobs));
      expect(await taken(blobs)).toEqual([]);
      // An hour later somebody else claims them, and most of a day must be left.
      await open().ageBlobs(idsOf(blobs), 2);
      await claim(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), 22);
      expect(await taken(blobs)).toEqual([]);
    });

    it('keeps what a deploy has until that is archived', async () => {
      const member = memberOf(fresh());
      const { app } = await open().apps.register(member, newApp(), { quota: 10 });
      const [blob] = (await stored(member.organization, descriptorsOf(1))) as [NewBlob];
      await deployTo(open().deploys, member, app.id, { files: [deployedFile('index.html', blob.id)] });
      await deployTo(open().deploys, member, app.id, {
        files: [deployedFile('a.html', blob.id), deployedFile('_headers')],
      });
      await open().ageBlobs([blob.id], OVER_A_DAY_HOURS);
      expect(await taken([blob])).toEqual([]);
      await open().apps.remove(member, app, undefined);
      await open().ageBlobs([blob.id], OVER_A_DAY_HOURS);
      const unused = await taken([blob]);
      expect(unused).toEqual([{ id: blob.id, key: blob.key }]);
      await open().ledger.forget(unused);
      // What a deploy had is still known; its bytes are not.
      const page = await open().deploys.list(member.organization, app.id, { limit: 1 });
      expect(await open().deploys.contentsOf(page!.deploys[0]!.id)).toMatchObject({
        files: [{ path: '_headers' }, { path: 'a.html' }],
      });
    });

    it('gives nobody what is being removed, and hands it out for removal until it is forgotten', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(1);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      const unused = await taken(blobs);
      const again = await claim(organization, descriptors);
      expect([again.stored, again.missing.length]).toEqual([[], 1]);
      await markStored(blobs);
      expect((await claim(organization, descriptors)).stored).toEqual([]);
      expect(await taken(blobs)).toEqual(unused);
      await open().ledger.forget(unused);
      expect(await taken(blobs)).toEqual([]);
      await markStored(again.missing);
      expect(idsOf((await claim(organization, descriptors)).stored)).toEqual(idsOf(again.missing));
    });

    it('forgets nothing that was not taken', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(1);
      const [blob] = (await stored(organization, descriptors)) as [NewBlob];
      await open().ledger.forget([{ id: blob.id, key: blob.key }]);
      await open().ledger.forget([]);
      expect(idsOf((await claim(organization, descriptors)).stored)).toEqual([blob.id]);
    });

    it('gives a blob to a claim or to the clean-up, never to both', async () => {
      const organization = fresh();
      for (let round = 0; round < 15; round += 1) {
        const descriptors = descriptorsOf(20);
        const blobs = await stored(organization, descriptors);
        await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
        const [unused, first, second] = await Promise.all([
          taken(blobs),
          claim(organization, descriptors),
          claim(organization, descriptors.toReversed()),
        ]);
        const gone = new Set(idsOf(unused));
        for (const { id } of [...first.stored, ...second.stored]) expect(gone.has(id)).toBe(false);
        expect(idsOf(await taken(blobs))).toEqual([...gone].toSorted());
      }
    });

    it('is claimed from by many at once', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(200);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), 2);
      const claims = await Promise.all(
        Array.from({ length: 8 }, (_, i) => claim(organization, i % 2 ? descriptors : descriptors.toReversed())),
      );
      for (const { stored: found } of claims) expect(idsOf(found)).toEqual(idsOf(blobs));
    });
  });
}
