import { InvalidRequest } from '@homeport/kernel';

/** UTF-8 bytes; longer than any path of a deploy. */
const MAX_PATH_BYTES = 4_096;

/**
 * Cursors of the files of a deploy: the path after which the next page begins. They need no protection, because a page
 * never leaves the deploy that the request names.
 */
export const FileCursor = {
  encode(path: string): string {
    return Buffer.from(path).toString('base64url');
  },

  /** @returns the path. @throws {InvalidRequest} when the list cannot have issued the cursor. */
  decode(cursor: string): string {
    const bytes = Buffer.from(cursor, 'base64url');
    const path = bytes.toString();
    // The comparison rejects invalid UTF-8, and every other encoding of the same bytes.
    const isCanonical = FileCursor.encode(path) === cursor;
    // PostgreSQL does not accept NUL in text, so a query with one would fail.
    if (!isCanonical || path === '' || path.includes('\0') || bytes.length > MAX_PATH_BYTES) {
      throw new InvalidRequest('The cursor was not issued by this list.', [
        { field: 'cursor', reason: 'Send next_cursor of the previous page.' },
      ]);
    }
    return path;
  },
};
