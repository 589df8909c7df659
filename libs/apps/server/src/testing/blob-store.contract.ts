import { describe, expect, it } from '@jest/globals';
import { hash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { BlobSizeMismatch, type BlobStore, type Encoding, ENCODINGS } from '../application/blobs/blob-store.port';
import { type BlobKey, blobKey } from '../domain/blobs/blob-key';
import { BlobStorageFailed } from '../domain/blobs/blobs.errors';

const never = new AbortController().signal;
const MIB = 1024 * 1024;

function newKey(): BlobKey {
  const id = randomUUID();
  return blobKey('northwind', hash('sha256', id), id);
}

/** Chunks as they come; whatever the last of them does, happens when it is wanted. */
function sourceOf(chunks: readonly (string | Buffer | (() => void))[]): Readable {
  const pieces = async function* () {
    for (const chunk of chunks) {
      if (typeof chunk === 'function') chunk();
      else yield Buffer.from(chunk);
      await Promise.resolve();
    }
  };
  return Readable.from(pieces(), { objectMode: false });
}

/** What every adapter of `BlobStore` must do. Each run leaves blobs of its own behind. */
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
    it('gives back the bytes it was given, whichever way they came', async () => {
      const [held, streamed] = [newKey(), newKey()];
      await put(held, 'hello');
      expect(await textOf(held)).toBe('hello');
      const stream = sourceOf(['hel', 'lo']);
      await putStream(streamed, stream, 5);
      expect(await textOf(streamed)).toBe('hello');
      expect(stream.destroyed).toBe(true);
    });

    it('stores nothing at all as something', async () => {
      const [held, streamed] = [newKey(), newKey()];
      await put(held, '');
      await putStream(streamed, sourceOf([]), 0);
      for (const key of [held, streamed]) expect(await textOf(key)).toBe('');
    });

    it('stores what is large', async () => {
      const key = newKey();
      const bytes = Buffer.alloc(9 * MIB, 'large');
      await putStream(key, sourceOf([bytes.subarray(0, 5 * MIB), bytes.subarray(5 * MIB)]), bytes.length);
      expect(hash('sha256', (await bytesOf(key)) as Buffer)).toBe(hash('sha256', bytes));
    });

    it('keeps encodings apart, and removes all of them', async () => {
      const [key, other] = [newKey(), newKey()];
      await put(other, 'stays');
      for (const encoding of ENCODINGS) await put(key, encoding, encoding);
      for (const encoding of ENCODINGS) expect(await textOf(key, encoding)).toBe(encoding);
      await open().remove(key);
      for (const encoding of ENCODINGS) expect(await bytesOf(key, encoding)).toBeUndefined();
      await expect(open().remove(key)).resolves.toBeUndefined();
      expect(await textOf(other)).toBe('stays');
    });

    it('has nothing where nothing was put', async () => {
      const key = newKey();
      expect(await bytesOf(key)).toBeUndefined();
      await put(key, 'x', 'br');
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('takes the same again', async () => {
      const key = newKey();
      await put(key, 'same');
      await putStream(key, sourceOf(['same']), 4);
      await put(key, 'same');
      expect(await textOf(key)).toBe('same');
    });

    it('reads a range, and none that is not there', async () => {
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

    it.each([0, 3, 4])('stores nothing of "hello", announced with %s bytes or too many', async (size) => {
      const key = newKey();
      for (const announced of [size, size + 6]) {
        const stream = sourceOf(['hel', 'lo']);
        await expect(putStream(key, stream, announced)).rejects.toBeInstanceOf(BlobSizeMismatch);
        expect(stream.destroyed).toBe(true);
      }
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('stores nothing of a source that breaks off, and raises its error', async () => {
      const key = newKey();
      const failing = sourceOf([
        'half',
        () => {
          throw new Error('gone');
        },
      ]);
      await expect(putStream(key, failing, 100)).rejects.toThrow('gone');
      const broken = sourceOf(['half']).on('error', () => undefined);
      broken.destroy(new Error('gone before'));
      await expect(putStream(key, broken, 100)).rejects.toThrow('gone before');
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('stores nothing for somebody who has left, or leaves amid the source', async () => {
      const key = newKey();
      const left = AbortSignal.abort(new Error('left'));
      const unread = sourceOf(['new']);
      await expect(putStream(key, unread, 3, left)).rejects.toThrow('left');
      expect(unread.destroyed).toBe(true);
      await expect(open().put(key, 'identity', Buffer.from('new'), left)).rejects.toThrow('left');
      const leaving = new AbortController();
      const half = sourceOf(['half', 'more', () => leaving.abort(new Error('leaves')), 'rest']);
      await expect(putStream(key, half, 12, leaving.signal)).rejects.toThrow('leaves');
      expect(half.destroyed).toBe(true);
      expect(await bytesOf(key)).toBeUndefined();
    });

    it('opens nothing for somebody who has left, and ends what somebody reads who leaves', async () => {
      const key = newKey();
      await put(key, 'x'.repeat(MIB));
      const left = AbortSignal.abort(new Error('left'));
      await expect(open().open(key, 'identity', { signal: left })).rejects.toThrow('left');
      const leaving = new AbortController();
      const body = (await open().open(key, 'identity', { signal: leaving.signal })) as Readable;
      leaving.abort();
      await expect(buffer(body)).rejects.toThrow();
      expect(body.destroyed).toBe(true);
    });

    it('is ready', async () => {
      await expect(open().ready(never)).resolves.toBeUndefined();
    });
  });
}
