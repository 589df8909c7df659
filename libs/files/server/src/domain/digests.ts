import { createHash, type Hash, hash } from 'node:crypto';
import { DigestMismatch } from './files.errors';

/** The algorithms digests are checked in, as Node names them, with the length of their values in bytes. */
export const DIGEST_BYTES = { md5: 16, sha256: 32, sha512: 64 } as const;

export type DigestAlgorithm = keyof typeof DIGEST_BYTES;

/** What the caller says the bytes amount to. */
export interface Digest {
  readonly algorithm: DigestAlgorithm;
  readonly value: Buffer;
}

/** @throws {DigestMismatch} */
export function assertDigests(bytes: Buffer, digests: readonly Digest[]): void {
  for (const { algorithm, value } of digests) {
    if (!value.equals(hash(algorithm, bytes, 'buffer'))) throw new DigestMismatch();
  }
}

/** The same for bytes that come one after the other. */
export class DigestVerifier {
  readonly #running: readonly { readonly hash: Hash; readonly value: Buffer }[];

  constructor(digests: readonly Digest[]) {
    this.#running = digests.map(({ algorithm, value }) => ({ hash: createHash(algorithm), value }));
  }

  update(chunk: Buffer): void {
    for (const running of this.#running) running.hash.update(chunk);
  }

  get matches(): boolean {
    return this.#running.every((running) => running.hash.digest().equals(running.value));
  }
}
