import { randomUUID } from 'node:crypto';
import {
  type BlobReservation,
  type BlobEncodings,
  BlobLedger,
  type BlobDescriptor,
  type NewBlob,
  type StoredBlob,
  type UnusedBlob,
} from '../../application/blob-ledger.port';
import { blobKey } from '@homeport/platform/server/blobs';
import type { InMemoryApps, MemoryBlob } from '../../../shared/adapters/memory/in-memory-apps';

const UNUSED_MS = 24 * 60 * 60 * 1_000;

/**
 * The blob ledger in memory, over the same store as the deploys. Passes the same contract suite as the PostgreSQL
 * adapter.
 */
export class InMemoryBlobLedger extends BlobLedger {
  constructor(private readonly store: InMemoryApps) {
    super();
  }

  async reserve(organization: string, descriptors: readonly BlobDescriptor[]): Promise<BlobReservation> {
    const stored = await this.reserveStored(
      organization,
      descriptors.map(({ digest }) => digest),
    );
    const missing = descriptors.filter(({ digest }) => !stored.some((blob) => blob.digest === digest));
    return { stored, missing: missing.map((descriptor) => this.#announce(organization, descriptor)) };
  }

  async reserveStored(organization: string, digests: readonly string[]): Promise<readonly StoredBlob[]> {
    const stored = digests.flatMap((digest) => this.#storedOf(organization, digest) ?? []);
    for (const blob of stored) this.store.blobs.set(blob.id, { ...blob, usedAt: Date.now() });
    return stored.map(({ id, digest, size }) => ({ id, digest, size }));
  }

  async markStored(blobs: readonly BlobEncodings[]): Promise<void> {
    for (const { id, brSize, gzipSize } of blobs) {
      const blob = this.store.blobs.get(id);
      if (blob?.state === 'storing') this.store.blobs.set(id, { ...blob, state: 'stored', brSize, gzipSize });
    }
  }

  async claimUnused(limit: number): Promise<readonly UnusedBlob[]> {
    const used = new Set(
      [...this.store.deploys.values()]
        .filter(({ archivedAt }) => archivedAt === undefined)
        .flatMap(({ files }) => files.map(({ blobId }) => blobId)),
    );
    const due = [...this.store.blobs.values()].filter(({ usedAt }) => usedAt < Date.now() - UNUSED_MS);
    for (const blob of due) if (used.has(blob.id)) this.store.blobs.set(blob.id, { ...blob, usedAt: Date.now() });
    const unused = due
      .filter(({ id }) => !used.has(id))
      .toSorted((a, b) => a.usedAt - b.usedAt)
      .slice(0, limit);
    for (const blob of unused) this.store.blobs.set(blob.id, { ...blob, state: 'removing' });
    return unused.map(({ id, key }) => ({ id, key }));
  }

  async deleteEntries(blobs: readonly UnusedBlob[]): Promise<void> {
    for (const { id } of blobs) if (this.store.blobs.get(id)?.state === 'removing') this.store.blobs.delete(id);
  }

  #storedOf(organization: string, digest: string): MemoryBlob | undefined {
    return [...this.store.blobs.values()].find(
      (blob) => blob.organization === organization && blob.digest === digest && blob.state === 'stored',
    );
  }

  #announce(organization: string, { digest, size }: BlobDescriptor): NewBlob {
    const id = randomUUID();
    const key = blobKey(organization, digest, id);
    const codings = { brSize: undefined, gzipSize: undefined };
    const state = 'storing' as const;
    this.store.blobs.set(id, { id, digest, key, organization, size, state, usedAt: Date.now(), ...codings });
    return { id, digest, key };
  }
}
