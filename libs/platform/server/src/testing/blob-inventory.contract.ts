import { hash, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { BlobInventory, ListedBlob } from '../blobs/blob-inventory.port';
import { blobFolder, blobKey } from '../blobs/blob-key';
import type { BlobStore } from '../blobs/blob-store.port';

const never = new AbortController().signal;
/** More than one page of S3. */
const MANY = 1_005;

/** The contract of every `BlobInventory` adapter. @param open returns it with the store that it lists. */
export function blobInventoryContract(
  name: string,
  open: () => { readonly store: BlobStore; readonly inventory: BlobInventory },
): void {
  const newKey = (organization: string) => {
    const id = randomUUID();
    return blobKey(organization, hash('sha256', id), id);
  };
  const list = async (organization: string) => {
    const found: ListedBlob[] = [];
    for await (const each of open().inventory.blobs(blobFolder(organization), never)) found.push(each);
    return found;
  };

  describe(`${name} as a blob inventory`, () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const keys = [newKey(one), newKey(one)].sort();
    beforeAll(async () => {
      const { store } = open();
      for (const key of keys) await store.put(key, 'identity', Buffer.from('hello'), never);
      await store.put(keys[0] as (typeof keys)[0], 'br', Buffer.from('hi'), never);
      await store.put(newKey(other), 'gzip', Buffer.alloc(0), never);
    });

    it('lists each encoding of the blobs of an organization with its size, ordered by key', async () => {
      expect(await list(one)).toEqual([
        { key: keys[0], encoding: 'identity', size: 5 },
        { key: keys[0], encoding: 'br', size: 2 },
        { key: keys[1], encoding: 'identity', size: 5 },
      ]);
      expect(await list(other)).toMatchObject([{ encoding: 'gzip', size: 0 }]);
    });

    it('lists the folders of organizations', async () => {
      const folders: string[] = [];
      for await (const each of open().inventory.folders(never)) folders.push(each);
      expect(folders).toEqual(expect.arrayContaining([blobFolder(one), blobFolder(other)]));
      expect(new Set(folders).size).toBe(folders.length);
    });

    it('lists nothing for an organization without blobs', async () => {
      expect(await list(randomUUID())).toEqual([]);
    });

    it('lists more blobs than fit in one page', async () => {
      const { store } = open();
      const organization = randomUUID();
      const many = Array.from({ length: MANY }, () => newKey(organization));
      const putAll = async (part: readonly (typeof many)[0][]) => {
        for (const key of part) await store.put(key, 'identity', Buffer.from('x'), never);
      };
      await Promise.all([0, 1, 2, 3, 4].map((at) => putAll(many.slice(at * 201, at * 201 + 201))));
      expect((await list(organization)).map(({ key }) => key)).toEqual(many.sort());
    });
  });
}
