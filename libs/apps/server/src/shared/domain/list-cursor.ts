import { InvalidRequest } from '@homeport/kernel';

/** The position of an app or a deploy in a list of an organization. */
export interface ListPosition {
  readonly id: string;
  /** Creation time in microseconds since 1970. */
  readonly createdAtMicros: string;
}

const CURSOR = /^(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Encodes positions as cursors. Cursors need no protection: a list never leaves its organization. */
export const ListCursor = {
  encode({ id, createdAtMicros }: ListPosition): string {
    return Buffer.from(`${createdAtMicros}.${id}`).toString('base64url');
  },

  /** @throws {InvalidRequest} when the list cannot have issued the cursor. */
  decode(cursor: string): ListPosition {
    const text = Buffer.from(cursor, 'base64url').toString();
    const [, createdAtMicros, id] = CURSOR.exec(text) ?? [];
    const isWellFormed = createdAtMicros !== undefined && id !== undefined;
    if (!isWellFormed || Buffer.from(text).toString('base64url') !== cursor) {
      throw new InvalidRequest('The cursor was not issued by this list.', [
        { field: 'cursor', reason: 'Send next_cursor of the previous page.' },
      ]);
    }
    return { id, createdAtMicros };
  },
};
