import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts the continuation tokens of storage, which name keys of the bucket, into cursors that cannot be read, changed
 * or used for another listing. A cursor is `IV ∥ ciphertext ∥ tag` of AES-256-GCM, base64url, with the scope as
 * additional data. The IV is derived from scope and token, so a position always has the same cursor and a listing the
 * same ETag.
 */
export class ListingCursors {
  readonly #newest: CursorKey;
  readonly #keys: readonly CursorKey[];

  /** @param keys 32 secret bytes each, newest first; at least one. The newest seals, every key opens. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = keys.map(cursorKeyOf);
    const [newest] = this.#keys;
    if (!newest) throw new Error('ListingCursors needs at least one key');
    this.#newest = newest;
  }

  /** @param scope the listing of the cursor: prefix and delimiter. */
  seal(token: string, scope: string): string {
    const iv = createHmac('sha256', this.#newest.ivs).update(`${scope}\n${token}`).digest().subarray(0, IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#newest.encryption, iv).setAAD(Buffer.from(scope));
    return Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** @returns the token, or undefined unless the cursor was sealed for this scope. */
  open(cursor: string, scope: string): string | undefined {
    const bytes = Buffer.from(cursor, 'base64url');
    // Several base64url strings decode to the same bytes; only the canonical one is valid.
    if (bytes.length < IV_BYTES + TAG_BYTES || bytes.toString('base64url') !== cursor) return undefined;
    for (const { encryption } of this.#keys) {
      const token = decrypted(bytes, encryption, scope);
      if (token !== undefined) return token;
    }
    return undefined;
  }
}

interface CursorKey {
  readonly encryption: Buffer;
  readonly ivs: Buffer;
}

function cursorKeyOf(key: Buffer): CursorKey {
  return {
    encryption: Buffer.from(hkdfSync('sha256', key, '', 'cursor encryption', 32)),
    ivs: Buffer.from(hkdfSync('sha256', key, '', 'cursor initialization vectors', 32)),
  };
}

/** @returns undefined when another key or scope sealed the bytes. */
function decrypted(bytes: Buffer, encryption: Buffer, scope: string): string | undefined {
  const decipher = createDecipheriv('aes-256-gcm', encryption, bytes.subarray(0, IV_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(scope))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
