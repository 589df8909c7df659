import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FileEntry } from '@homeport/files/contracts';
import { ListingPages, type ListingPage, type PageRequest } from './listing-pages';

const PAGE_SIZE = 2;
const file = (key: string, version = 1): FileEntry => ({
  key,
  size: 1,
  etag: `"${version}"`,
  modified_at: '2026-11-01T00:00:00Z',
});
const keysOf = (entries: readonly FileEntry[]) => entries.map(({ key }) => key);

/** The files on the server, in key order. */
let stored: readonly FileEntry[];
let requests: PageRequest[];
let responses: number[];
let pages: ListingPages;

/** Answers like the API: a cursor is the last key of the page before, and an ETag follows from the content. */
async function request(page: PageRequest): Promise<ListingPage | undefined> {
  requests.push(page);
  const rest = stored.filter(({ key }) => key > (page.cursor ?? ''));
  const items = rest.slice(0, PAGE_SIZE);
  const next_cursor = rest.length > PAGE_SIZE ? (items.at(-1)?.key ?? null) : null;
  const etag = JSON.stringify([items, next_cursor]);
  responses.push(etag === page.etag ? 304 : 200);
  return etag === page.etag ? undefined : { listing: { items, directories: [], next_cursor, truncated: false }, etag };
}

/** Reads all pages. @returns the keys and the status of each response. */
async function read(): Promise<readonly [readonly string[], readonly number[]]> {
  responses = [];
  return [keysOf(await pages.read(request)), responses];
}

beforeEach(() => {
  stored = ['a', 'b', 'c', 'd', 'e'].map((key) => file(key));
  requests = [];
  pages = new ListingPages();
});

describe('ListingPages', () => {
  it('reads every page without a condition at first', async () => {
    expect(await read()).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      [200, 200, 200],
    ]);
    expect(requests.map(({ etag }) => etag)).toEqual([undefined, undefined, undefined]);
  });

  it('transfers no page again while nothing has changed, and returns the same entries', async () => {
    const before = await pages.read(request);
    expect(await read()).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      [304, 304, 304],
    ]);
    expect(await pages.read(request)).toBe(before);
  });

  it('transfers only the page that has changed', async () => {
    await read();
    stored = stored.map((entry) => (entry.key === 'c' ? file('c', 2) : entry));
    const entries = await pages.read(request);
    expect(responses.slice(-3)).toEqual([304, 200, 304]);
    expect(entries.find(({ key }) => key === 'c')?.etag).toBe('"2"');
  });

  it('follows the cursors of the new pages when files were added or deleted', async () => {
    await read();
    stored = ['a', 'aa', 'c', 'd', 'e', 'f'].map((key) => file(key));
    expect(await read()).toEqual([
      ['a', 'aa', 'c', 'd', 'e', 'f'],
      [200, 200, 200],
    ]);
    stored = ['a'].map((key) => file(key));
    expect(await read()).toEqual([['a'], [200]]);
    stored = [];
    expect(await read()).toEqual([[], [200]]);
    expect(await read()).toEqual([[], [304]]);
  });

  it('keeps the known pages when a read fails', async () => {
    await read();
    const failure = new Error('unavailable');
    const failing = (page: PageRequest) => (page.cursor === 'b' ? Promise.reject(failure) : request(page));
    await expect(pages.read(failing)).rejects.toBe(failure);
    expect((await read())[1]).toEqual([304, 304, 304]);
  });
});
