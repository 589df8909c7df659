import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals small secrets with AES-256-GCM under rotating keys: the first key seals, every key opens.
 * A sealed text is `<key id>.<nonce>.<ciphertext and tag>`, base64url.
 */
export class SealedBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: string;

  /** @param keys 32 bytes each, newest first; at least one. */
  constructor(keys: readonly Buffer[]) {
    const byId = keys.map((key) => [keyId(key), key] as const);
    const [newest] = byId;
    if (!newest) throw new Error('SealedBox needs at least one key');
    this.#keys = new Map(byId);
    this.#current = newest[0];
  }

  /** The ids of the keys, newest first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** Whether the newest key sealed it. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${this.#current}.`);
  }

  /** @param purpose binds the sealed text to one use, so that it cannot be replayed for another. */
  seal(plain: string | Uint8Array, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keys.get(this.#current) as Buffer, nonce);
    cipher.setAAD(Buffer.from(purpose));
    const sealed = Buffer.concat([cipher.update(Buffer.from(plain)), cipher.final(), cipher.getAuthTag()]);
    return `${this.#current}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`;
  }

  /** @returns the text; undefined when it was altered, sealed for another purpose, or its key was removed. */
  open(sealed: string, purpose: string): string | undefined {
    return this.openBytes(sealed, purpose)?.toString('utf8');
  }

  /** @returns the bytes; undefined in the same cases as `open`. */
  openBytes(sealed: string, purpose: string): Buffer | undefined {
    const [id = '', nonce = '', body = '', ...rest] = sealed.split('.');
    const key = this.#keys.get(id);
    const bytes = exactBytes(body);
    const nonceBytes = exactBytes(nonce);
    if (!key || !bytes || bytes.length < TAG_BYTES || nonceBytes?.length !== NONCE_BYTES || rest.length > 0) {
      return undefined;
    }
    const decipher = createDecipheriv('aes-256-gcm', key, nonceBytes, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(purpose));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const plain = decipher.update(bytes.subarray(0, -TAG_BYTES));
    try {
      return Buffer.concat([plain, decipher.final()]);
    } catch {
      return undefined;
    }
  }
}

/** Base64url has several encodings of the same bytes; only the canonical one is accepted. */
function exactBytes(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

function keyId(key: Buffer): string {
  return createHash('sha256').update('homeport sealed box').update(key).digest('base64url').slice(0, 8);
}
