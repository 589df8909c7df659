import {
  type BlobInventory,
  type BlobKey,
  type BlobStore,
  blobFolder,
  type Encoding,
  type ListedBlob,
} from '@homeport/platform/server/blobs';
import type { RecordedBlob, RecordedState } from './recorded-state.port';

/** A blob in which the storage and the database differ. */
export type BlobDifference =
  | {
      /** `missing`: an encoding is not in the storage. `resized`: it has another size than recorded. */
      readonly kind: 'missing' | 'resized';
      readonly key: BlobKey;
      readonly blobId: string;
      readonly encoding: Encoding;
    }
  /** The database does not know it. */
  | { readonly kind: 'unknown'; readonly key: BlobKey };

export interface BlobComparisonDependencies {
  readonly records: RecordedState;
  readonly inventory: BlobInventory;
  readonly blobs: BlobStore;
}

interface StoredBlob {
  readonly key: BlobKey;
  readonly sizes: Map<Encoding, number>;
}

/** Compares the blobs in the storage with the database, while deploys come and go. */
export class BlobComparison {
  constructor(private readonly dependencies: BlobComparisonDependencies) {}

  async *differences(signal: AbortSignal): AsyncIterable<BlobDifference> {
    const { records, inventory } = this.dependencies;
    const known = new Set<string>();
    for await (const organization of records.organizations('stored')) {
      known.add(blobFolder(organization));
      yield* this.#differencesOf(organization, signal);
    }
    for await (const folder of inventory.folders(signal)) {
      if (known.has(folder)) continue;
      for await (const { key } of grouped(inventory.blobs(folder, signal))) yield* this.#unknown(key, signal);
    }
  }

  /** Lost blobs that are in the storage with all encodings. */
  async *found(signal: AbortSignal): AsyncIterable<string> {
    const { records, inventory } = this.dependencies;
    for await (const organization of records.organizations('lost')) {
      const stored = grouped(inventory.blobs(blobFolder(organization), signal));
      for await (const [lost, found] of mergedByKey(records.blobs(organization, 'lost'), stored)) {
        if (lost && [...lost.sizes].every(([encoding, size]) => found?.sizes.get(encoding) === size)) yield lost.id;
      }
    }
  }

  async *#differencesOf(organization: string, signal: AbortSignal): AsyncIterable<BlobDifference> {
    const { records, inventory } = this.dependencies;
    const stored = grouped(inventory.blobs(blobFolder(organization), signal));
    for await (const [recorded, found] of mergedByKey(records.blobs(organization, 'stored'), stored)) {
      if (recorded) yield* this.#damages(recorded, found, signal);
      else if (found) yield* this.#unknown(found.key, signal);
    }
  }

  async *#damages(
    recorded: RecordedBlob,
    found: StoredBlob | undefined,
    signal: AbortSignal,
  ): AsyncIterable<BlobDifference> {
    const { id, key } = recorded;
    for (const [encoding, size] of recorded.sizes) {
      const actual = found?.sizes.get(encoding);
      if (actual === size) continue;
      // It may have been removed meanwhile, as unused.
      if (!(await this.dependencies.records.filterStored([id])).has(id)) return;
      if (actual !== undefined) yield { kind: 'resized', key, blobId: id, encoding };
      else if (!(await this.#isStored(key, encoding, signal))) yield { kind: 'missing', key, blobId: id, encoding };
    }
  }

  /** The database knows a blob before it is stored, so this one was left behind, or has been removed meanwhile. */
  async *#unknown(key: BlobKey, signal: AbortSignal): AsyncIterable<BlobDifference> {
    const id = key.slice(key.lastIndexOf('/') + 1);
    const isKnown = (await this.dependencies.records.filterKnown([id])).has(id);
    if (!isKnown && (await this.#isStored(key, 'identity', signal))) yield { kind: 'unknown', key };
  }

  async #isStored(key: BlobKey, encoding: Encoding, signal: AbortSignal): Promise<boolean> {
    const body = await this.dependencies.blobs.open(key, encoding, { signal });
    body?.destroy();
    return body !== undefined;
  }
}

/** Puts the encodings of each blob together. @param listed ordered by key. */
async function* grouped(listed: AsyncIterable<ListedBlob>): AsyncIterable<StoredBlob> {
  let blob: StoredBlob | undefined;
  for await (const { key, encoding, size } of listed) {
    if (blob && blob.key !== key) yield blob;
    if (blob?.key !== key) blob = { key, sizes: new Map() };
    blob.sizes.set(encoding, size);
  }
  if (blob) yield blob;
}

/** Pairs what has the same key. @param left and `right` are ordered by key. */
async function* mergedByKey<Left extends { readonly key: string }, Right extends { readonly key: string }>(
  left: AsyncIterable<Left>,
  right: AsyncIterable<Right>,
): AsyncIterable<readonly [Left | undefined, Right | undefined]> {
  const [lefts, rights] = [left[Symbol.asyncIterator](), right[Symbol.asyncIterator]()];
  let [one, other] = [await lefts.next(), await rights.next()];
  while (!one.done || !other.done) {
    const takesLeft = !one.done && (other.done === true || one.value.key <= other.value.key);
    const takesRight = !other.done && (one.done === true || other.value.key <= one.value.key);
    yield [takesLeft ? (one.value as Left) : undefined, takesRight ? (other.value as Right) : undefined];
    if (takesLeft) one = await lefts.next();
    if (takesRight) other = await rights.next();
  }
}
