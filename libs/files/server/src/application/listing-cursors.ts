import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Turns the storage's own continuation tokens into cursors that cannot be altered or used for another listing.
 * A cursor is `<token>.<HMAC over scope and token>`, base64url.
 */
export class ListingCursors {
  /** @param key 32 secret bytes, the same on every instance. */
  constructor(private readonly key: Buffer) {}

  /** @param scope what the cursor belongs to: the person's prefix and the delimiter. */
  seal(token: string, scope: string): string {
    return `${Buffer.from(token).toString('base64url')}.${this.#mac(token, scope).toString('base64url')}`;
  }

  /** Undefined for anything this listing did not give out. */
  open(cursor: string, scope: string): string | undefined {
    const [body = '', mac = '', ...rest] = cursor.split('.');
    const token = Buffer.from(body, 'base64url').toString('utf8');
    const given = Buffer.from(mac, 'base64url');
    const expected = this.#mac(token, scope);
    const isOurs = rest.length === 0 && given.length === expected.length && timingSafeEqual(given, expected);
    return isOurs && this.seal(token, scope) === cursor ? token : undefined;
  }

  #mac(token: string, scope: string): Buffer {
    return createHmac('sha256', this.key).update(`${scope}\n${token}`).digest();
  }
}
