import { createHash } from 'node:crypto';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { Semaphore } from '@homeport/kernel';
import { BlobCorrupt, type Encoding } from '@homeport/platform/server/blobs';
import type { SiteFile } from '../../routing/application/site-directory.port';

/** Each decoder takes a thread of libuv for one chunk at a time, and up to 16 MiB for the Brotli window. */
const MAX_CONCURRENT_DECODES = 4;
const MAX_CONCURRENT_DECODES_PER_DEPLOY = 2;
const CHUNK_BYTES = 64 * 1024;

const DECODERS = { br: createBrotliDecompress, gzip: createGunzip };

/** Verifies compressed bodies by decoding them, because only the digest of the uncompressed file is known. */
export class EncodedBodyVerifier {
  readonly #decoding = new Semaphore({
    permits: MAX_CONCURRENT_DECODES,
    permitsPerOwner: MAX_CONCURRENT_DECODES_PER_DEPLOY,
  });

  /**
   * Checks that a body decodes to the file. Decodes as a stream, because a small body may decode to a large file.
   * @throws {BlobCorrupt}
   */
  async verify(file: SiteFile, encoding: Exclude<Encoding, 'identity'>, bytes: Buffer): Promise<void> {
    const decode = () => verifyDecoded(file, DECODERS[encoding]({ chunkSize: CHUNK_BYTES }).end(bytes));
    await this.#decoding.run(decode, { owner: file.deployId });
  }
}

async function verifyDecoded({ digest, size }: SiteFile, decoded: AsyncIterable<Buffer>): Promise<void> {
  const hash = createHash('sha256');
  let count = 0;
  try {
    for await (const chunk of decoded) {
      count += chunk.length;
      if (count > size) throw new Error(`The body decodes to more than ${size} bytes.`);
      hash.update(chunk);
    }
  } catch (error) {
    throw new BlobCorrupt({ cause: error });
  }
  if (hash.digest('hex') !== digest) throw new BlobCorrupt();
}
