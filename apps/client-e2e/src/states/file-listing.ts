/** A file as the API lists it. */
interface ListedFile {
  readonly key: string;
  readonly modified_at: string;
}

const NEWEST_FILES = 10;

/** The response of `GET /api/files` for these files: all of them, one level of them, or the newest. */
export function listingOf(files: readonly ListedFile[], { searchParams }: URL): object {
  const prefix = searchParams.get('prefix') ?? '';
  const rest = { next_cursor: null, truncated: false };
  if (searchParams.get('sort') === '-modified_at') {
    const newest = files.toSorted((a, b) => (a.modified_at < b.modified_at ? 1 : -1)).slice(0, NEWEST_FILES);
    return { items: newest, directories: [], ...rest };
  }
  const items = files.filter(({ key }) => key.startsWith(prefix));
  if (!searchParams.has('delimiter')) return { items, directories: [], ...rest };
  const isDirect = ({ key }: ListedFile): boolean => !key.slice(prefix.length).includes('/');
  const directories = items
    .filter((file) => !isDirect(file))
    .map(({ key }) => key.slice(0, key.indexOf('/', prefix.length) + 1));
  return { items: items.filter(isDirect), directories: [...new Set(directories)], ...rest };
}
