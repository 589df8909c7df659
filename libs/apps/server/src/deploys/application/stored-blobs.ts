import type { BlobLedger } from '../../blobs/application/blob-ledger.port';

const BLOBS_PER_QUERY = 2_000;

/** Finds the blobs that an organization has, and protects them from removal. @returns their ids by digest. */
export async function findStored(
  ledger: BlobLedger,
  organization: string,
  digests: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (let start = 0; start < digests.length; start += BLOBS_PER_QUERY) {
    const stored = await ledger.reserveStored(organization, digests.slice(start, start + BLOBS_PER_QUERY));
    for (const { digest, id } of stored) ids.set(digest, id);
  }
  return ids;
}
