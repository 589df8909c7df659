import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CatalogUnavailable } from '../domain/pricing.errors';
import { planPublication } from '../domain/publication';
import type { Revision } from '../domain/revision';
import { InMemoryPriceRevisions } from '../adapters/memory/in-memory-price-revisions';
import { firstRevision, withCard } from '../testing/revisions';
import { PriceBook } from './price-book';
import type { RevisionSchedule } from './price-revisions.port';

/** Revisions that a test has go wrong. */
class FaultyRevisions extends InMemoryPriceRevisions {
  failure: (() => Promise<RevisionSchedule>) | undefined;
  /** What is done to every revision that is read. */
  spoil: (revision: Revision) => Revision = (revision) => revision;
  reads = 0;

  override async currentAndUpcoming(): Promise<RevisionSchedule> {
    this.reads += 1;
    if (this.failure) return this.failure();
    const { revisions, at } = await super.currentAndUpcoming();
    return { revisions: revisions.map(this.spoil), at };
  }
}

const NEXT = '2027-01-01T00:00:00Z';
const refusing = () => Promise.reject(new Error('away'));

describe('PriceBook', () => {
  let time: number;
  let monotonic: number;
  let revisions: FaultyRevisions;
  let book: PriceBook;

  /** Both clocks go on. */
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

  it('asks once a second, however many ask it', async () => {
    await Promise.all(Array.from({ length: 50 }, () => book.current()));
    after(1_000);
    await book.current();
    expect(revisions.reads).toBe(1);
    after(1);
    await Promise.all([book.current(), book.current()]);
    expect(revisions.reads).toBe(2);
  });

  it('says the same bytes in every form, on every instance', async () => {
    const { body, representations } = await book.current();
    const other = await new PriceBook(revisions, () => 7).current();
    expect(other.representations).toEqual(representations);
    expect(brotliDecompressSync(representations.br.body)).toEqual(body);
    expect(gunzipSync(representations.gzip.body)).toEqual(body);
    expect(new Set(Object.values(representations).map(({ etag }) => etag)).size).toBe(3);
  });

  it('sees what was published since', async () => {
    expect(await versionNow()).toBe('2026-10-01');
    await revisions.publish('ada', (published, now) => planPublication(withCard(NEXT), { published, now }));
    after(5_000);
    expect(await versionNow()).toBe('2026-11-21');
  });

  it('changes cards to the millisecond, by the clock of the revisions', async () => {
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

  it('does not run ahead of the clock of the revisions, however long an answer took', async () => {
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
    ['the database refuses', () => (revisions.failure = refusing)],
    ['the database fails with something that is no error', () => (revisions.failure = () => Promise.reject('no'))],
    ['nothing is in force', () => (revisions.failure = async () => ({ revisions: [], at: new Date(time) }))],
    [
      'all is in the future',
      () => (revisions.failure = async () => ({ revisions: [firstRevision()], at: new Date('2026-09-30T23:59:59Z') })),
    ],
    ['the hash is wrong', () => (revisions.spoil = (each) => ({ ...each, sha256: Buffer.alloc(32) }))],
    ['the bytes are others', () => (revisions.spoil = (each) => ({ ...each, body: Buffer.from('{}') }))],
    ['the bytes are cut off', () => (revisions.spoil = (each) => ({ ...each, body: each.body.subarray(0, 900) }))],
    ['there are no bytes', () => (revisions.spoil = (each) => ({ ...each, body: Buffer.alloc(0) }))],
    ['the version is another', () => (revisions.spoil = (each) => ({ ...each, version: '2026-10-02' }))],
    ['a card is missing', () => (revisions.spoil = (each) => ({ ...each, source: { ...each.source, usage: {} } }))],
    ['legacy is missing', () => (revisions.spoil = (each) => ({ ...each, source: { ...each.source, legacy: null } }))],
    ['signup is broken', () => (revisions.spoil = (each) => ({ ...each, source: { ...each.source, signup: {} } }))],
    [
      'the source has other prices',
      () =>
        (revisions.spoil = (each) => ({
          ...each,
          source: { ...withCard(NEXT), legacy: each.source.legacy, usage: {} },
        })),
    ],
  ])('when %s', (_what, breakIt) => {
    const mend = () => {
      revisions.failure = undefined;
      revisions.spoil = (revision) => revision;
    };

    it('states nothing rather than a part, and recovers within a second', async () => {
      breakIt();
      for (let i = 0; i < 3; i += 1) {
        await expect(book.current()).rejects.toBeInstanceOf(CatalogUnavailable);
        after(50);
      }
      mend();
      after(100);
      expect(await versionNow()).toBe('2026-10-01');
    });

    it('states a good copy for 300 seconds, and then nothing', async () => {
      await book.current();
      breakIt();
      after(299_000);
      expect(await versionNow()).toBe('2026-10-01');
      after(1_001);
      await expect(book.current()).rejects.toBeInstanceOf(CatalogUnavailable);
      mend();
      after(100);
      expect(await versionNow()).toBe('2026-10-01');
    });
  });

  it('leaves a database that failed alone for 100 ms, and waits for its news again once it is back', async () => {
    await book.current();
    revisions.failure = refusing;
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

  it('waits for a database that hangs no longer than it has to', async () => {
    await book.current();
    revisions.failure = () => new Promise(() => undefined);
    after(2_000);
    expect(await versionNow()).toBe('2026-10-01');
    // It hangs still: nobody asks a second time.
    after(2_000);
    expect(await versionNow()).toBe('2026-10-01');
    expect(revisions.reads).toBe(2);
  });

  it('has copies that are true for as long as caches keep them, whenever a card is announced', async () => {
    const published = [firstRevision()];
    for (let n = 0; n < 200; n += 1) {
      const announcedAt = Date.parse('2026-11-21T12:00:00Z') + n * 7_919;
      const begin = new Date(Math.ceil((announcedAt + 604_000) / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
      const catalog = withCard(begin, { version: `${begin.slice(0, 10)}.${n + 2}` });
      const [announcement, change] = planPublication(catalog, { published, now: new Date(announcedAt) });
      // A copy from just before the announcement is as old as can be when the prices change.
      const age = (change?.effectiveAt.getTime() ?? 0) - (announcement?.effectiveAt.getTime() ?? 0);
      expect(age).toBeGreaterThanOrEqual(600_000);
    }
  });
});
