import { InvalidRequest } from '@homeport/platform/server';

/** Where in a list of an organization an app or a deploy stands. */
export interface ListPosition {
  readonly id: string;
  /** When it was made, in microseconds since 1970. */
  readonly createdAtMicros: string;
}

const CURSOR = /^(\d{1,17})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Positions as cursors. A list never leaves its organization, so that there is nothing in them to protect. */
export const ListCursor = {
  encode({ id, createdAtMicros }: ListPosition): string {
    return Buffer.from(`${createdAtMicros}.${id}`).toString('base64url');
  },

  /** @throws {InvalidRequest} */
  decode(cursor: string): ListPosition {
    const text = Buffer.from(cursor, 'base64url').toString();
    const [, createdAtMicros, id] = CURSOR.exec(text) ?? [];
    const isOurs = createdAtMicros !== undefined && id !== undefined;
    if (!isOurs || Buffer.from(text).toString('base64url') !== cursor) {
      throw new InvalidRequest('The cursor is none that this list gave out.', [
        { field: 'cursor', reason: 'Take next_cursor of the page before.' },
      ]);
    }
    return { id, createdAtMicros };
  },
};
