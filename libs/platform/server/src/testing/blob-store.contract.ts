import { describe, expect, it } from '@jest/globals';
import { hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobSizeMismatch, type BlobStore, type Encoding, ENCODINGS } from '../blobs/blob-store.port';
import { type BlobKey, blobKey } from '../blobs/blob-key';
import { BlobStorageFailed } from '../blobs/blobs.errors';

const never = new AbortController().signal;
const MIB = 1024 * 1024;

function newKey(): BlobKey {
  const id = randomUUID();
  return blobKey('northwind', hash('sha256', id), id);
}

/** Streams chunks. A function in the list runs when its position is read, and may throw. */
function sourceOf(chunks: readonly (string | Buffer | (() => void))[]): Readable {
  const produce = async function* () {
    for (const chunk of chunks) {
      if (typeof chunk === 'function') chunk();
      else yield Buffer.from(chunk);
      await Promise.resolve();
    }
  };
  return Readable.from(produce(), { objectMode: false });
}

/** The contract of every `BlobStore` adapter. Each run leaves its blobs behind. */
export function blobStoreContract(name: string, open: () => BlobStore): void {
  const put = (key: BlobKey, body: string, encoding: Encoding = 'identity') =>
    open().put(key, encoding, Buffer.from(body), never);
  const putStream = (key: BlobKey, stream: Readable, size: number, signal = never) =>
    open().put(key, 'identity', { stream, size }, signal);
  const bytesOf = async (key: BlobKey, encoding: Encoding = 'identity') => {
    const body = await open().open(key, encoding, { signal: never });
    return body && buffer(body);
  };
  const textOf = async (key: BlobKey, encoding?: Encoding) => (await bytesOf(key, encoding))?.toString();

  describe(`${name} as a blob store`, () => {
    it('returns the bytes it was given as a buffer or a stream', async () => {
      const [buffered, streamed] = [newKey(), newKey()];
      await put(buffered, 'hello');
      expect(await textOf(buffered)).toBe('hello');
      const stream = sourceOf(['hel', 'lo']);
      await putStream(streamed, stream, 5);
      expect(await textOf(streamed)).toBe('hello');
      expect(stream.destroyed).toBe(true);
    });

    it('stores an empty blob', async () => {
      const [buffered, streamed] = [newKey(), newKey()];
      await put(buffered, '');
      await putStream(streamed, sourceOf([]), 0);
      for (const key of [buffered, streamed]) expect(await textOf(key)).toBe('');
    });

    it('stores a large blob', async () => {
      const key = newKey();
      const bytes = Buffer.alloc(9 * MIB, 'large');
      await putStream(key, sourceOf([bytes.subarray(0, 5 * MIB), bytes.subarray(5 * MIB)]), bytes.length);
      expect(hash('sha256', (await bytesOf(key)) as Buffer)).toBe(hash('sha256', bytes));
    });

    it('stores encodings separately, and removes all of them', async () => {
      const [key, other] = [newKey(), newKey()];
      await put(other, 'stays');
      for (const encoding of ENCODINGS) await put(key, encoding, encoding);
      for (const encoding of ENCODINGS) expect(await textOf(key, encoding)).toBe(encoding);
      await open().remove(key);
      for (const encoding of ENCODINGS) expect(await bytesOf(key, encoding)).toBeUndefined();
      await expect(open().remove(key)).resolves.toBeUndefined();
      expect(await textOf(other)).toBe('stays');
    });

    it('finds no blob where none was stored', async () => {
      const key = newKey();
      expect(await bytesOf(key)).toBeUndefined();
      await put(key, 'x', 'br');
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('accepts the same blob again', async () => {
      const key = newKey();
      await put(key, 'same');
      await putStream(key, sourceOf(['same']), 4);
      await put(key, 'same');
      expect(await textOf(key)).toBe('same');
    });

    it('reads a range, and rejects one outside the blob', async () => {
      const key = newKey();
      await put(key, '0123456789');
      const read = async (first: number, last: number) => {
        const body = await open().open(key, 'identity', { range: { first, last }, signal: never });
        return body && (await buffer(body)).toString();
      };
      expect(await read(2, 4)).toBe('234');
      expect(await read(0, 0)).toBe('0');
      expect(await read(0, 9)).toBe('0123456789');
      await expect(read(8, 10)).rejects.toBeInstanceOf(BlobStorageFailed);
      await expect(read(10, 12)).rejects.toBeInstanceOf(BlobStorageFailed);
      await expect(read(4, 2)).rejects.toBeInstanceOf(BlobStorageFailed);
    });

    it.each([0, 3, 4])('rejects "hello" with a declared size of %s bytes, or too many', async (size) => {
      const key = newKey();
      for (const announced of [size, size + 6]) {
        const stream = sourceOf(['hel', 'lo']);
        await expect(putStream(key, stream, announced)).rejects.toBeInstanceOf(BlobSizeMismatch);
        expect(stream.destroyed).toBe(true);
      }
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('stores nothing when the source fails, and throws its error', async () => {
      const key = newKey();
      const failing = sourceOf([
        'half',
        () => {
          throw new Error('failed');
        },
      ]);
      await expect(putStream(key, failing, 100)).rejects.toThrow('failed');
      const broken = sourceOf(['half']).on('error', () => undefined);
      broken.destroy(new Error('failed before'));
      await expect(putStream(key, broken, 100)).rejects.toThrow('failed before');
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('stores nothing when the signal is aborted, before or during the upload', async () => {
      const key = newKey();
      const aborted = AbortSignal.abort(new Error('aborted'));
      const unread = sourceOf(['new']);
      await expect(putStream(key, unread, 3, aborted)).rejects.toThrow('aborted');
      expect(unread.destroyed).toBe(true);
      await expect(open().put(key, 'identity', Buffer.from('new'), aborted)).rejects.toThrow('aborted');
      const controller = new AbortController();
      const half = sourceOf(['half', 'more', () => controller.abort(new Error('aborted')), 'rest']);
      await expect(putStream(key, half, 12, controller.signal)).rejects.toThrow('aborted');
      expect(half.destroyed).toBe(true);
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('opens nothing when the signal is aborted, and ends the body when it is aborted during reading', async () => {
      const key = newKey();
      await put(key, 'x'.repeat(MIB));
      const aborted = AbortSignal.abort(new Error('aborted'));
      await expect(open().open(key, 'identity', { signal: aborted })).rejects.toThrow('aborted');
      const controller = new AbortController();
      const body = (await open().open(key, 'identity', { signal: controller.signal })) as Readable;
      controller.abort();
      await expect(buffer(body)).rejects.toThrow();
      expect(body.destroyed).toBe(true);
    });

    it('is ready', async () => {
      await expect(open().ready(never)).resolves.toBeUndefined();
    });
  });
}
