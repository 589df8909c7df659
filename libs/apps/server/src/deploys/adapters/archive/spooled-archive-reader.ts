import { createHash } from 'node:crypto';
import { finished, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { type ArchiveFile, ArchiveReader, type SiteEntry } from '../../application/archive-reader.port';
import { type ArchiveLimits, ArchiveMeter } from '../../domain/archive-limits';
import { SiteListing } from '../../domain/site-listing';
import type { ArchiveEntry } from './archive-entry';
import { tarEntries } from './tar-reader';
import { zipEntries } from './zip-reader';

const READERS = { 'tar.gz': tarEntries, zip: zipEntries };
/** The second read needs no limits: the first one has enforced them. */
const NO_LIMITS = { archiveBytes: Infinity, unpackedBytes: Infinity, files: Infinity, fileBytes: Infinity };

/** Entries without bytes never wait for I/O, so the loop yields to other work after this many. */
const ENTRIES_PER_TURN = 100;

/**
 * Reads uploads that were spooled to disk: once to validate the whole archive, once more to extract the wanted files.
 */
export class SpooledArchiveReader extends ArchiveReader {
  async examine(archive: ArchiveFile, limits: ArchiveLimits, signal: AbortSignal): Promise<readonly SiteEntry[]> {
    const listing = new SiteListing(limits, archive.appType);
    const meter = new ArchiveMeter(archive.archiveBytes, limits, archive.onRead);
    let position = 0;
    try {
      for await (const entry of READERS[archive.format](archive, meter, signal)) {
        await examineEntry(listing, entry, position++);
        if (position % ENTRIES_PER_TURN === 0) await setImmediate();
      }
    } catch (error) {
      signal.throwIfAborted();
      throw listing.withFaults(error);
    }
    return listing.finish();
  }

  async extract(
    archive: ArchiveFile,
    wanted: readonly SiteEntry[],
    take: (entry: SiteEntry, body: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const remaining = new Map(wanted.map((entry) => [entry.position, entry]));
    const meter = new ArchiveMeter(archive.archiveBytes, NO_LIMITS, archive.onRead);
    let position = 0;
    try {
      if (remaining.size === 0) return;
      for await (const entry of READERS[archive.format](archive, meter, signal)) {
        const site = remaining.get(position);
        if (site) await withBody(entry, (body) => take(site, body));
        remaining.delete(position++);
        if (remaining.size === 0) return;
      }
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  }
}

async function examineEntry(listing: SiteListing, entry: ArchiveEntry, position: number): Promise<void> {
  const { name, kind, size, fault } = entry;
  if (fault !== undefined) return listing.reject(name, fault);
  const path = listing.admit(name, kind, size);
  if (path === undefined) return;
  listing.add({ path, position, ...(await hashEntry(entry)) });
}

async function hashEntry(entry: ArchiveEntry): Promise<Pick<SiteEntry, 'size' | 'digest'>> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of entry.body()) {
    size += chunk.length;
    hash.update(chunk);
  }
  return { size, digest: hash.digest('hex') };
}

/** Passes the content of an entry to `take`. Returns after the body is closed. */
async function withBody(entry: ArchiveEntry, take: (body: Readable) => Promise<void>): Promise<void> {
  const body = Readable.from(entry.body(), { objectMode: false });
  // The body may fail after `take` has stopped reading. The failure is rethrown below.
  body.on('error', () => undefined);
  try {
    await take(body);
    // `take` may stop reading early. The stream reports that as an AbortError.
    if (body.errored && body.errored.name !== 'AbortError') throw body.errored;
  } finally {
    await new Promise<void>((resolve) => {
      finished(body, () => resolve());
      body.destroy();
    });
  }
}
