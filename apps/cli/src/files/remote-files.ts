import { allItems, type FileEntry, type Homeport, operations } from '@homeport/api-client';

/** Lists all files whose path begins with `prefix`. */
export function filesWithPrefix(
  { client }: Homeport,
  prefix: string,
  signal: AbortSignal,
): AsyncGenerator<FileEntry, void> {
  return allItems((cursor) =>
    operations.listFiles({
      client,
      signal,
      query: { limit: 1_000, ...(prefix !== '' && { prefix }), ...(cursor !== undefined && { cursor }) },
    }),
  );
}

/** @returns the prefix of the files in a folder: empty, or with one slash at the end. */
export function folderPrefix(path: string): string {
  // The API stores paths in this form, and answers with it.
  const trimmed = path.normalize('NFC').replace(/^\/+|\/+$/g, '');
  return trimmed === '' ? '' : `${trimmed}/`;
}
