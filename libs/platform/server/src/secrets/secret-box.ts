import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Ids are part of each sealed value. */
const KEY = /^([A-Za-z0-9_-]{1,32}):([A-Za-z0-9+/]{43}=)$/;

/** A key, and the id that sealed values name it by. */
export interface SecretKey {
  readonly id: string;
  /** 32 bytes. */
  readonly key: Buffer;
}

/** A sealed value was altered, belongs elsewhere, or its key was removed from the key ring. */
export class SecretUnreadable extends Error {}

/** @returns the key; undefined for a text that is not of the form `id:base64(32 bytes)`. */
export function parseSecretKey(text: string): SecretKey | undefined {
  const [, id = '', encoded = ''] = KEY.exec(text) ?? [];
  const key = Buffer.from(encoded, 'base64');
  return key.length === KEY_BYTES ? { id, key } : undefined;
}

/**
 * Seals secrets with AES-256-GCM under rotating keys: the first key seals, every key opens. A sealed value is the length
 * of the id of its key, the id, the nonce, the ciphertext and the tag.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: SecretKey;

  /** @param keys newest first; at least one. */
  constructor(keys: readonly SecretKey[]) {
    const [newest] = keys;
    if (!newest) throw new Error('SecretBox needs at least one key');
    this.#keys = new Map(keys.map(({ id, key }) => [id, key]));
    this.#current = newest;
  }

  /** The ids of the keys, newest first. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  /** @param context binds the sealed value to its place, such as the app and the name of a variable. */
  seal(plain: string, context: string): Buffer {
    const { id, key } = this.#current;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    cipher.setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return Buffer.concat([Buffer.from([id.length]), Buffer.from(id), nonce, body]);
  }

  /** @param context as the value was sealed for. @throws {SecretUnreadable} */
  open(sealed: Uint8Array, context: string): string {
    const bytes = Buffer.from(sealed);
    const idEnd = 1 + (bytes[0] ?? 0);
    const nonceEnd = idEnd + NONCE_BYTES;
    const key = this.#keys.get(bytes.toString('utf8', 1, idEnd));
    if (!key || bytes.length < nonceEnd + TAG_BYTES) throw new SecretUnreadable('no key of the key ring opens it');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(idEnd, nonceEnd), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(nonceEnd, -TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SecretUnreadable('it was altered, or sealed for another place', { cause });
    }
  }
}

/** What binds the value of a variable to its app, its name and its scope. */
export function variableContext(appId: string, name: string, scope: string): string {
  return `${appId}\n${name}\n${scope}`;
}

/** What binds the key of an account at a certificate authority to its directory. */
export function acmeAccountContext(directory: string): string {
  return `acme-account\n${directory}`;
}

/** What binds the private key of a certificate to its row. */
export function certificateContext(certificateId: string): string {
  return `certificate\n${certificateId}`;
}
