import { randomBytes, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { blobKey, type Encoding } from '@homeport/platform/server/blobs';
import { digestOf } from '../../testing/deploy-fixtures';
import { RecordingBlobStore } from '@homeport/platform/server/testing';
import type { NewBlob } from './blob-ledger.port';
import { DigestMismatch } from '../domain/blobs.errors';
import { BlobWriter } from './blob-writer';
import { SpoolFolder } from './spool-folder';
import type { UploadSpool } from './upload-spool';

const MIB = 1024 * 1024;
const { signal } = new AbortController();

describe('BlobWriter', () => {
  const spools = new SpoolFolder();
  let spool: UploadSpool;
  let blobs: RecordingBlobStore;
  let writer: BlobWriter;

  beforeEach(async () => {
    spool = await spools.createSpool();
    blobs = new RecordingBlobStore();
    writer = new BlobWriter({
      blobs,
      spool,
      signal,
      compressing: async () => () => undefined,
      onProgress: () => undefined,
    });
  });
  afterEach(() => spool.close());
  afterAll(() => spools.close());

  const newBlob = (bytes: Buffer): NewBlob => {
    const id = randomUUID();
    const digest = digestOf(bytes);
    return { id, digest, key: blobKey('northwind', digest, id) };
  };
  const typeOf = (path: string) => (path.endsWith('.jpg') ? 'image/jpeg' : 'text/javascript; charset=utf-8');
  const write = async (path: string, bytes: Buffer) => {
    const blob = newBlob(bytes);
    const store = await writer.receive(
      { ...blob, contentType: typeOf(path), size: bytes.length },
      Readable.from([bytes]),
    );
    const { brSize, gzipSize } = await store(blob);
    const read = async (encoding: Encoding) => {
      const body = await blobs.open(blob.key, encoding, { signal });
      return body && buffer(body);
    };
    const [identity, br, gzip] = [await read('identity'), await read('br'), await read('gzip')];
    expect([identity?.equals(bytes), br?.length, gzip?.length]).toEqual([true, brSize, gzipSize]);
    return { br, gzip };
  };

  it.each([
    ['app.js', 10_000],
    ['large.js', 3 * MIB],
  ])('stores compressed variants of %s with %i bytes', async (path, size) => {
    const bytes = Buffer.alloc(size, 'const answer = 42; // What else? ');
    const { br, gzip } = await write(path, bytes);
    expect(brotliDecompressSync(br!).equals(bytes)).toBe(true);
    expect(gunzipSync(gzip!).equals(bytes)).toBe(true);
  });

  it.each([
    ['photo.jpg', Buffer.alloc(10_000)],
    ['short.js', Buffer.alloc(1_023, 'a')],
    ['random.js', randomBytes(10_000)],
    ['random-large.js', randomBytes(2 * MIB)],
    ['empty.html', Buffer.alloc(0)],
  ])('stores no compressed variant of %s', async (path, bytes) => {
    expect(await write(path, bytes)).toEqual({ br: undefined, gzip: undefined });
  });

  it('buffers up to 1 MiB in memory, spools larger files and removes them from the disk', async () => {
    const { folder } = spool;
    await write('small.js', Buffer.alloc(MIB, 'text'));
    expect(blobs.stored.splice(0).map(({ isStreamed }) => isStreamed)).toEqual([false, false, false]);
    const bytes = Buffer.alloc(MIB + 1, 'text');
    const blob = newBlob(bytes);
    const store = await writer.receive(
      { ...blob, contentType: 'text/javascript', size: bytes.length },
      Readable.from([bytes]),
    );
    expect(await readdir(folder)).toHaveLength(1);
    await store(blob);
    expect(blobs.stored.map(({ isStreamed }) => isStreamed)).toEqual([true, true, true]);
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([10, 2 * MIB])('stores nothing when the digest of %i bytes has changed', async (size) => {
    const bytes = Buffer.alloc(size);
    const blob = newBlob(Buffer.from('something else'));
    await expect(
      writer.receive({ ...blob, contentType: 'text/javascript', size }, Readable.from([bytes])),
    ).rejects.toBeInstanceOf(DigestMismatch);
    expect(blobs.stored).toEqual([]);
  });
});
