import { describe, expect, it } from '@jest/globals';
import type { BlobDescriptor, NewBlob, UnusedBlob } from '../blobs/application/blob-ledger.port';
import { blobKey } from '@homeport/platform/server/blobs';
import { memberOf } from './app-fixture';
import { deployedFile, deployTo, newBlobDescriptor, type DeployRepositoryHarness, filesOf } from './deploy-fixtures';

const OVER_A_DAY_HOURS = 25;
const BATCH_LIMIT = 10_000;

let count = 0;
const fresh = () => `ledger-${process.pid}-${count++}`;
const descriptorsOf = (length: number) => Array.from({ length }, newBlobDescriptor);
const idsOf = (blobs: readonly { readonly id: string }[]) => blobs.map(({ id }) => id).toSorted();
const digestsOf = (blobs: readonly { readonly digest: string }[]) => blobs.map(({ digest }) => digest).toSorted();

/** The contract of every `BlobLedger` adapter. */
export function blobLedgerContract(name: string, open: () => DeployRepositoryHarness): void {
  const reserve = (organization: string, descriptors: readonly BlobDescriptor[]) =>
    open().ledger.reserve(organization, descriptors);
  const markStored = (blobs: readonly NewBlob[]) =>
    open().ledger.markStored(blobs.map(({ id }) => ({ id, brSize: 10, gzipSize: undefined })));
  /** Stores blobs for the organization. */
  const stored = async (organization: string, descriptors: readonly BlobDescriptor[]) => {
    const { missing } = await reserve(organization, descriptors);
    await markStored(missing);
    return missing;
  };
  const taken = async (among: readonly { readonly id: string }[]): Promise<UnusedBlob[]> => {
    const ids = new Set(among.map(({ id }) => id));
    return (await open().ledger.claimUnused(BATCH_LIMIT)).filter(({ id }) => ids.has(id));
  };

  describe(`${name} as a ledger of blobs`, () => {
    it('returns unknown blobs as missing, each with a unique key', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(3);
      const { stored: found, missing } = await reserve(organization, descriptors);
      expect(found).toEqual([]);
      expect(digestsOf(missing)).toEqual(digestsOf(descriptors));
      for (const { id, digest, key } of missing) expect(key).toBe(blobKey(organization, digest, id));
      expect(new Set(idsOf(missing)).size).toBe(3);
      expect(await reserve(organization, [])).toEqual({ stored: [], missing: [] });
    });

    it('finds stored blobs only for their organization', async () => {
      const organization = fresh();
      const [known, unknown] = [descriptorsOf(2), descriptorsOf(2)];
      const blobs = await stored(organization, known);
      const again = await reserve(organization, [...known, ...unknown]);
      expect(idsOf(again.stored)).toEqual(idsOf(blobs));
      expect(digestsOf(again.missing)).toEqual(digestsOf(unknown));
      const other = await reserve(fresh(), known);
      expect(other.stored).toEqual([]);
      expect(idsOf(other.missing)).not.toEqual(idsOf(blobs));
    });

    it('does not reuse blobs that are still being stored', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(2);
      const reservations = await Promise.all([1, 2].map(() => reserve(organization, descriptors)));
      const [one, two] = reservations.map(({ missing }) => missing) as [NewBlob[], NewBlob[]];
      expect([one.length, two.length, new Set([...idsOf(one), ...idsOf(two)]).size]).toEqual([2, 2, 4]);
      await markStored([...one, ...two]);
      const { stored: found, missing } = await reserve(organization, descriptors);
      expect(missing).toEqual([]);
      expect(digestsOf(found)).toEqual(digestsOf(descriptors));
    });

    it('takes blobs that were not reserved for a day, stored or not', async () => {
      const organization = fresh();
      const blobs = [
        ...(await stored(organization, descriptorsOf(2))),
        ...(await reserve(organization, descriptorsOf(1))).missing,
      ];
      await open().ageBlobs(idsOf(blobs), 23);
      expect(await taken(blobs)).toEqual([]);
      await open().ageBlobs(idsOf(blobs), 2);
      const unused = await taken(blobs);
      expect(idsOf(unused)).toEqual(idsOf(blobs));
      for (const { id, key } of unused) expect(key).toBe(blobs.find((blob) => blob.id === id)?.key);
    });

    it('takes no more blobs than requested', async () => {
      const organization = fresh();
      const blobs = await stored(organization, descriptorsOf(7));
      await open().ledger.deleteEntries(await open().ledger.claimUnused(BATCH_LIMIT));
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      const sizes: number[] = [];
      for (let unused; (unused = await open().ledger.claimUnused(3)).length > 0;) {
        sizes.push(unused.length);
        await open().ledger.deleteEntries(unused);
      }
      expect(sizes).toEqual([3, 3, 1]);
    });

    it('finds one unused blob among many that are used', async () => {
      const member = memberOf(fresh());
      const { app } = await open().registry.register(member);
      const blobs = await stored(member.organization, descriptorsOf(50));
      const [unused, ...used] = blobs.toReversed() as [NewBlob, ...NewBlob[]];
      await deployTo(open(), member, app.id, { files: used.map(({ id }) => deployedFile(`${id}.js`, id)) });
      await open().ledger.deleteEntries(await open().ledger.claimUnused(BATCH_LIMIT));
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      await open().ageBlobs(idsOf(used), 1);
      expect(idsOf(await open().ledger.claimUnused(4))).toEqual([unused.id]);
    });

    it('keeps reserved blobs', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(2);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      expect(idsOf((await reserve(organization, descriptors)).stored)).toEqual(idsOf(blobs));
      expect(await taken(blobs)).toEqual([]);
      // A second reservation an hour later must leave most of a day.
      await open().ageBlobs(idsOf(blobs), 2);
      await reserve(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), 22);
      expect(await taken(blobs)).toEqual([]);
    });

    it('keeps the blobs of a deploy until it is archived', async () => {
      const member = memberOf(fresh());
      const { app } = await open().registry.register(member);
      const [blob] = (await stored(member.organization, descriptorsOf(1))) as [NewBlob];
      await deployTo(open(), member, app.id, { files: [deployedFile('index.html', blob.id)] });
      await deployTo(open(), member, app.id, {
        files: [deployedFile('a.html', blob.id), deployedFile('_headers')],
      });
      await open().ageBlobs([blob.id], OVER_A_DAY_HOURS);
      expect(await taken([blob])).toEqual([]);
      await open().registry.remove(member, app);
      await open().ageBlobs([blob.id], OVER_A_DAY_HOURS);
      const unused = await taken([blob]);
      expect(unused).toEqual([{ id: blob.id, key: blob.key }]);
      await open().ledger.deleteEntries(unused);
      // The paths of an archived deploy are still known, but its bytes are not.
      const page = await open().deploys.list(member.organization, app.id, { limit: 1 });
      const contents = await open().deploys.contentsOf(page!.deploys[0]!.id);
      expect(filesOf(contents)).toMatchObject([{ path: '_headers' }, { path: 'a.html' }]);
    });

    it('does not reuse a blob that is being removed, and returns it for removal until it is forgotten', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(1);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
      const unused = await taken(blobs);
      const again = await reserve(organization, descriptors);
      expect([again.stored, again.missing.length]).toEqual([[], 1]);
      await markStored(blobs);
      expect((await reserve(organization, descriptors)).stored).toEqual([]);
      expect(await taken(blobs)).toEqual(unused);
      await open().ledger.deleteEntries(unused);
      expect(await taken(blobs)).toEqual([]);
      await markStored(again.missing);
      expect(idsOf((await reserve(organization, descriptors)).stored)).toEqual(idsOf(again.missing));
    });

    it('forgets only blobs that were taken', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(1);
      const [blob] = (await stored(organization, descriptors)) as [NewBlob];
      await open().ledger.deleteEntries([{ id: blob.id, key: blob.key }]);
      await open().ledger.deleteEntries([]);
      expect(idsOf((await reserve(organization, descriptors)).stored)).toEqual([blob.id]);
    });

    it('gives a blob either to a reservation or to the clean-up, never to both', async () => {
      const organization = fresh();
      for (let round = 0; round < 15; round += 1) {
        const descriptors = descriptorsOf(20);
        const blobs = await stored(organization, descriptors);
        await open().ageBlobs(idsOf(blobs), OVER_A_DAY_HOURS);
        const [unused, first, second] = await Promise.all([
          taken(blobs),
          reserve(organization, descriptors),
          reserve(organization, descriptors.toReversed()),
        ]);
        const removed = new Set(idsOf(unused));
        for (const { id } of [...first.stored, ...second.stored]) expect(removed.has(id)).toBe(false);
        expect(idsOf(await taken(blobs))).toEqual([...removed].toSorted());
      }
    });

    it('serves concurrent reservations of the same blobs', async () => {
      const organization = fresh();
      const descriptors = descriptorsOf(200);
      const blobs = await stored(organization, descriptors);
      await open().ageBlobs(idsOf(blobs), 2);
      const reservations = await Promise.all(
        Array.from({ length: 8 }, (_, i) => reserve(organization, i % 2 ? descriptors : descriptors.toReversed())),
      );
      for (const { stored: found } of reservations) expect(idsOf(found)).toEqual(idsOf(blobs));
    });
  });
}
