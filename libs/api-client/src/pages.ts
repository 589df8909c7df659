export interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/**
 * Iterates over the items of all pages, and requests each page when its first item is needed.
 * @param getPage requests one page; the cursor is undefined for the first one.
 */
export async function* allItems<T>(getPage: (cursor: string | undefined) => Promise<Page<T>>): AsyncGenerator<T, void> {
  let cursor: string | undefined;
  do {
    const { items, next_cursor } = await getPage(cursor);
    yield* items;
    cursor = next_cursor ?? undefined;
  } while (cursor !== undefined);
}
