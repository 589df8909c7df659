import { createHash, type Hash, hash } from 'node:crypto';
import { DigestMismatch } from './files.errors';

/** Supported digest algorithms by their Node names, with the length of their values in bytes. */
export const DIGEST_BYTES = { md5: 16, sha256: 32, sha512: 64 } as const;

export type DigestAlgorithm = keyof typeof DIGEST_BYTES;

/** A digest that the caller declared for the bytes. */
export interface Digest {
  readonly algorithm: DigestAlgorithm;
  readonly value: Buffer;
}

/** @throws {DigestMismatch} when the bytes do not match all digests. */
export function assertDigests(bytes: Buffer, digests: readonly Digest[]): void {
  for (const { algorithm, value } of digests) {
    if (!value.equals(hash(algorithm, bytes, 'buffer'))) throw new DigestMismatch();
  }
}

/** Verifies digests of a stream of bytes. */
export class DigestVerifier {
  readonly #hashes: readonly { readonly hash: Hash; readonly value: Buffer }[];

  constructor(digests: readonly Digest[]) {
    this.#hashes = digests.map(({ algorithm, value }) => ({ hash: createHash(algorithm), value }));
  }

  update(chunk: Buffer): void {
    for (const running of this.#hashes) running.hash.update(chunk);
  }

  get matches(): boolean {
    return this.#hashes.every((running) => running.hash.digest().equals(running.value));
  }
}
