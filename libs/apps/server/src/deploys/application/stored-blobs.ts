import type { BlobDescriptor, BlobLedger } from '../../blobs/application/blob-ledger.port';

const BLOBS_PER_QUERY = 2_000;

/**
 * Finds the blobs that an organization has, and protects them from removal. A blob of another size than stated is not
 * found: limits and charges rely on the sizes of a manifest.
 * @returns their ids by digest.
 */
export async function findStored(
  ledger: BlobLedger,
  organization: string,
  files: readonly BlobDescriptor[],
): Promise<ReadonlyMap<string, string>> {
  const sizes = new Map(files.map(({ digest, size }) => [digest, size]));
  const digests = [...sizes.keys()];
  const ids = new Map<string, string>();
  for (let start = 0; start < digests.length; start += BLOBS_PER_QUERY) {
    const stored = await ledger.reserveStored(organization, digests.slice(start, start + BLOBS_PER_QUERY));
    for (const { digest, size, id } of stored) if (sizes.get(digest) === size) ids.set(digest, id);
  }
  return ids;
}
