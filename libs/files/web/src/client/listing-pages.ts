import type { FileEntry, FileListing } from '@homeport/files/contracts';

/** One page of a listing, and the ETag of its response. */
export interface ListingPage {
  readonly listing: FileListing;
  readonly etag: string;
}

/** Where a page begins, and the ETag of the page that is known at this position. */
export interface PageRequest {
  /** Null for the first page. */
  readonly cursor: string | null;
  readonly etag: string | undefined;
}

/** Requests a page; undefined when the known page is unchanged (304). */
export type RequestPage = (request: PageRequest) => Promise<ListingPage | undefined>;

/**
 * The pages of a complete listing in memory. A repeated read sends the ETag of each known page, so that unchanged pages
 * are not transferred again.
 */
export class ListingPages {
  /** By cursor, in key order. */
  #pages: ReadonlyMap<string | null, ListingPage> = new Map();
  #entries: readonly FileEntry[] = [];

  /**
   * Reads all pages. A failed read leaves the known pages as they are.
   * @returns all entries in key order; the same array as before when no page has changed.
   */
  async read(request: RequestPage): Promise<readonly FileEntry[]> {
    const pages = new Map<string | null, ListingPage>();
    let isChanged = this.#pages.size === 0;
    let cursor: string | null = null;
    do {
      const known = this.#pages.get(cursor);
      const page: ListingPage | undefined = (await request({ cursor, etag: known?.etag })) ?? known;
      if (!page) throw new Error('The server sent no page.');
      isChanged ||= page !== known;
      pages.set(cursor, page);
      cursor = page.listing.next_cursor;
    } while (cursor !== null);
    this.#pages = pages;
    if (isChanged) this.#entries = [...pages.values()].flatMap(({ listing }) => listing.items);
    return this.#entries;
  }
}
