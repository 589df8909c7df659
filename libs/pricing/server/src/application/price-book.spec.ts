import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CatalogUnavailable } from '../domain/pricing.errors';
import { planPublication } from '../domain/publication';
import type { Revision } from '../domain/revision';
import { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
import { firstRevision, withCard } from '../testing/revisions';
import { PriceBook } from './price-book';
import type { RevisionSchedule } from './price-revisions.port';

/** Revisions that a test can corrupt or let fail. */
class FaultyRevisions extends InMemoryPriceRevisions {
  failure: (() => Promise<RevisionSchedule>) | undefined;
  /** Changes every revision that is read. */
  corrupt: (revision: Revision) => Revision = (revision) => revision;
  reads = 0;

  override async currentAndUpcoming(): Promise<RevisionSchedule> {
    this.reads += 1;
    if (this.failure) return this.failure();
    const { revisions, at } = await super.currentAndUpcoming();
    return { revisions: revisions.map(this.corrupt), at };
  }
}

const NEXT = '2027-01-01T00:00:00Z';
const failing = () => Promise.reject(new Error('unavailable'));

describe('PriceBook', () => {
  let time: number;
  let monotonic: number;
  let revisions: FaultyRevisions;
  let book: PriceBook;

  /** Advances both clocks. */
  const after = (ms: number) => {
    time += ms;
    monotonic += ms;
  };
  const announced = (): Revision[] => {
    const published = [firstRevision()];
    const now = new Date(time);
    return [...published, ...planPublication(withCard(NEXT), { published, now })];
  };
  const versionNow = async () => (await book.current()).version;

  beforeEach(() => {
    time = Date.parse('2026-11-21T12:00:00Z');
    monotonic = 5_000;
    open([firstRevision()]);
  });
  const open = (published: readonly Revision[]) => {
    revisions = new FaultyRevisions(published, () => new Date(time));
    book = new PriceBook(revisions, () => monotonic);
  };

  it('reads at most once per second for any number of calls', async () => {
    await Promise.all(Array.from({ length: 50 }, () => book.current()));
    after(1_000);
    await book.current();
    expect(revisions.reads).toBe(1);
    after(1);
    await Promise.all([book.current(), book.current()]);
    expect(revisions.reads).toBe(2);
  });

  it('encodes the same bytes on every instance', async () => {
    const { body, representations } = await book.current();
    const other = await new PriceBook(revisions, () => 7).current();
    expect(other.representations).toEqual(representations);
    expect(brotliDecompressSync(representations.br.body)).toEqual(body);
    expect(gunzipSync(representations.gzip.body)).toEqual(body);
    expect(new Set(Object.values(representations).map(({ etag }) => etag)).size).toBe(3);
  });

  it('picks up a new publication', async () => {
    expect(await versionNow()).toBe('2026-10-01');
    await revisions.publish('ada', (published, now) => planPublication(withCard(NEXT), { published, now }));
    after(5_000);
    expect(await versionNow()).toBe('2026-11-21');
  });

  it('switches cards at the exact millisecond by the clock of the revisions', async () => {
    open(announced());
    after(5_000);
    expect(await versionNow()).toBe('2026-11-21');
    after(Date.parse(NEXT) - time - 1_000);
    expect(await versionNow()).toBe('2026-11-21');
    const { reads } = revisions;
    after(999);
    expect(await versionNow()).toBe('2026-11-21');
    after(1);
    expect(await versionNow()).toBe('2027-01-01');
    expect(revisions.reads).toBe(reads);
  });

  it('does not run ahead of the clock of the revisions after a slow read', async () => {
    open(announced());
    time = Date.parse(NEXT) - 2_000;
    const late = revisions.currentAndUpcoming.bind(revisions);
    jest.spyOn(revisions, 'currentAndUpcoming').mockImplementationOnce(async () => {
      after(1_500);
      return late();
    });
    expect(await versionNow()).toBe('2026-11-21');
    after(499);
    expect(await versionNow()).toBe('2026-11-21');
  });

  describe.each<[string, () => void]>([
    ['the database fails', () => (revisions.failure = failing)],
    ['the database rejects with a value that is not an error', () => (revisions.failure = () => Promise.reject('no'))],
    ['no revision is in effect', () => (revisions.failure = async () => ({ revisions: [], at: new Date(time) }))],
    [
      'all revisions are in the future',
      () => (revisions.failure = async () => ({ revisions: [firstRevision()], at: new Date('2026-09-30T23:59:59Z') })),
    ],
    ['the hash is wrong', () => (revisions.corrupt = (each) => ({ ...each, sha256: Buffer.alloc(32) }))],
    ['the bytes differ', () => (revisions.corrupt = (each) => ({ ...each, body: Buffer.from('{}') }))],
    ['the bytes are truncated', () => (revisions.corrupt = (each) => ({ ...each, body: each.body.subarray(0, 900) }))],
    ['there are no bytes', () => (revisions.corrupt = (each) => ({ ...each, body: Buffer.alloc(0) }))],
    ['the version differs', () => (revisions.corrupt = (each) => ({ ...each, version: '2026-10-02' }))],
    ['a card is missing', () => (revisions.corrupt = (each) => ({ ...each, source: { ...each.source, usage: {} } }))],
    [
      'legacy is missing',
      () => (revisions.corrupt = (each) => ({ ...each, source: { ...each.source, legacy: null } })),
    ],
    ['signup is invalid', () => (revisions.corrupt = (each) => ({ ...each, source: { ...each.source, signup: {} } }))],
    [
      'the source has other prices',
      () =>
        (revisions.corrupt = (each) => ({
          ...each,
          source: { ...withCard(NEXT), legacy: each.source.legacy, usage: {} },
        })),
    ],
  ])('when %s', (_what, introduceFault) => {
    const repair = () => {
      revisions.failure = undefined;
      revisions.corrupt = (revision) => revision;
    };

    it('returns no partial prices, and recovers within a second', async () => {
      introduceFault();
      for (let i = 0; i < 3; i += 1) {
        await expect(book.current()).rejects.toBeInstanceOf(CatalogUnavailable);
        after(50);
      }
      repair();
      after(100);
      expect(await versionNow()).toBe('2026-10-01');
    });

    it('returns a valid snapshot for 300 seconds, and then fails', async () => {
      await book.current();
      introduceFault();
      after(299_000);
      expect(await versionNow()).toBe('2026-10-01');
      after(1_001);
      await expect(book.current()).rejects.toBeInstanceOf(CatalogUnavailable);
      repair();
      after(100);
      expect(await versionNow()).toBe('2026-10-01');
    });
  });

  it('retries a failed database after 100 ms, and waits for it again after it recovers', async () => {
    await book.current();
    revisions.failure = failing;
    after(1_001);
    await book.current();
    after(99);
    await book.current();
    expect(revisions.reads).toBe(2);
    revisions.failure = undefined;
    after(1);
    await book.current();
    expect(revisions.reads).toBe(3);
    await revisions.publish('ada', (published, now) => planPublication(withCard(NEXT), { published, now }));
    after(5_000);
    expect(await versionNow()).toBe('2026-11-21');
  });

  it('returns the stale snapshot while a read hangs, without a second read', async () => {
    await book.current();
    revisions.failure = () => new Promise(() => undefined);
    after(2_000);
    expect(await versionNow()).toBe('2026-10-01');
    // The first read still hangs, so no second read starts.
    after(2_000);
    expect(await versionNow()).toBe('2026-10-01');
    expect(revisions.reads).toBe(2);
  });

  it('announces every price change at least 600 seconds in advance', async () => {
    const published = [firstRevision()];
    for (let n = 0; n < 200; n += 1) {
      const announcedAt = Date.parse('2026-11-21T12:00:00Z') + n * 7_919;
      const newSignupsFrom = new Date(Math.ceil((announcedAt + 604_000) / 1_000) * 1_000)
        .toISOString()
        .replace('.000Z', 'Z');
      const catalog = withCard(newSignupsFrom, { version: `${newSignupsFrom.slice(0, 10)}.${n + 2}` });
      const [announcement, change] = planPublication(catalog, { published, now: new Date(announcedAt) });
      // The oldest cached statement is from just before the announcement.
      const age = (change?.effectiveAt.getTime() ?? 0) - (announcement?.effectiveAt.getTime() ?? 0);
      expect(age).toBeGreaterThanOrEqual(600_000);
    }
  });
});
