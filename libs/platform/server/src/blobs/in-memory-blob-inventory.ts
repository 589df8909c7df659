import { BlobInventory, type ListedBlob } from './blob-inventory.port';
import type { InMemoryBlobStore } from './in-memory-blob-store';

/** Lists a blob store in memory, for tests. */
export class InMemoryBlobInventory extends BlobInventory {
  constructor(private readonly store: InMemoryBlobStore) {
    super();
  }

  async *folders(): AsyncIterable<string> {
    const folders = this.store.list().map(({ key }) => key.slice(0, key.indexOf('/', key.indexOf('/') + 1) + 1));
    yield* new Set(folders.sort());
  }

  async *blobs(folder: string): AsyncIterable<ListedBlob> {
    const listed = this.store.list().filter(({ key }) => key.startsWith(folder));
    yield* listed.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  }
}
