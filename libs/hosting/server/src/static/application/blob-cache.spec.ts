import type { Readable } from 'node:stream';
import { brotliCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { PreparedFile } from '../adapters/http/prepared-file';
import {
  BlobCorrupt,
  type BlobKey,
  BlobStorageUnavailable,
  type Encoding,
  InMemoryBlobStore,
  type OpenOptions,
} from '@homeport/platform/server/blobs';
import { type FileFixture, siteFile } from '../../testing/site-file';
import { BlobMissing, BlobCache } from './blob-cache';

class CountingStore extends InMemoryBlobStore {
  opened = 0;
  isUnavailable = false;

  override async open(key: BlobKey, encoding: Encoding, options: OpenOptions): Promise<Readable | undefined> {
    this.opened += 1;
    if (this.isUnavailable) throw new BlobStorageUnavailable();
    return super.open(key, encoding, options);
  }
}

const MIB = 1024 * 1024;
let store: CountingStore;
let bodies: BlobCache;

beforeEach(() => {
  store = new CountingStore();
  bodies = new BlobCache(store, 3 * MIB);
});

async function stored(
  given: FileFixture,
  encoding: Encoding = 'identity',
  into: InMemoryBlobStore | undefined = store,
) {
  const file = await siteFile({ deployId: 'one', path: 'a.txt' }, given, into);
  const flags = { isImmutable: false, isPreview: false, variesByNavigation: false };
  const served = new PreparedFile({ appId: 'app', file, status: 200, ...flags, fields: [] });
  return { file, variant: served.variant(encoding) };
}

describe('BlobCache', () => {
  it('loads a body once for concurrent requests, and caches it', async () => {
    const { file, variant } = await stored('a body');
    expect(bodies.get(variant)).toBeUndefined();
    const loaded = await Promise.all(Array.from({ length: 10 }, () => bodies.load(file, variant)));
    expect(loaded.map(String)).toEqual(Array.from({ length: 10 }, () => 'a body'));
    expect(String(bodies.get(variant))).toBe('a body');
    expect(store.opened).toBe(1);
  });

  it('caches the encodings of a file separately', async () => {
    const { file, variant } = await stored({ body: 'words '.repeat(100), codings: ['br'] }, 'br');
    const { variant: plain } = await stored('words '.repeat(100));
    await bodies.load(file, variant);
    expect(bodies.get(variant)).toHaveLength(file.brSize as number);
    expect(bodies.get(plain)).toBeUndefined();
  });

  it('streams large bodies', async () => {
    const { file, variant } = await stored(Buffer.alloc(MIB + 1));
    expect(bodies.load(file, variant)).toBeUndefined();
    const stream = await bodies.open(file, variant, new AbortController().signal);
    expect(Buffer.concat((await stream.toArray()) as Buffer[])).toHaveLength(MIB + 1);
  });

  it('evicts the least recently used bodies', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, (_, i) => stored(Buffer.alloc(MIB, i))));
    for (const { file, variant } of all) await bodies.load(file, variant);
    expect(all.map(({ variant }) => bodies.get(variant) !== undefined)).toEqual([false, false, true, true, true]);
  });

  it('limits the bytes that are loaded at once', async () => {
    const all = await Promise.all(Array.from({ length: 70 }, (_, i) => stored(Buffer.alloc(MIB, i))));
    const loads = all.map(({ file, variant }) => bodies.load(file, variant));
    expect(loads.filter((load) => load === undefined)).toHaveLength(6);
    await Promise.all(loads);
    const { file, variant } = all.at(-1)!;
    expect(await bodies.load(file, variant)).toHaveLength(MIB);
  });

  it('does not cache failures', async () => {
    const { file, variant } = await stored('a body');
    store.isUnavailable = true;
    await expect(bodies.load(file, variant)).rejects.toBeInstanceOf(BlobStorageUnavailable);
    store.isUnavailable = false;
    expect(String(await bodies.load(file, variant))).toBe('a body');
  });

  it('rejects missing bytes and a wrong number of bytes', async () => {
    const { file, variant } = await stored('a body', 'identity', new InMemoryBlobStore());
    await expect(bodies.load(file, variant)).rejects.toMatchObject({ constructor: BlobMissing, file });
    await store.put(file.blob, 'identity', Buffer.from('a longer body'), new AbortController().signal);
    await expect(bodies.load(file, variant)).rejects.toThrow('more bytes');
    await store.put(file.blob, 'identity', Buffer.from('a b'), new AbortController().signal);
    await expect(bodies.load(file, variant)).rejects.toThrow('missing');
    expect(bodies.get(variant)).toBeUndefined();
  });

  const corrupt = (file: { blob: BlobKey }, encoding: Encoding, bytes: Buffer) =>
    store.put(file.blob, encoding, bytes, new AbortController().signal);

  it('does not cache bytes with a wrong digest', async () => {
    const { file, variant } = await stored('a body');
    await corrupt(file, 'identity', Buffer.from('A body'));
    await expect(bodies.load(file, variant)).rejects.toBeInstanceOf(BlobCorrupt);
    expect(bodies.get(variant)).toBeUndefined();
    await corrupt(file, 'identity', Buffer.from('a body'));
    expect(String(await bodies.load(file, variant))).toBe('a body');
  });

  it.each([
    ['other words', (size: number) => brotliCompressSync('Words '.repeat(100)).subarray(0, size)],
    ['invalid data', (size: number) => Buffer.alloc(size)],
  ])('does not cache compressed bytes that decode to %s', async (_what, bytesOf) => {
    const { file, variant } = await stored({ body: 'words '.repeat(100), codings: ['br'] }, 'br');
    await corrupt(file, 'br', bytesOf(variant.size));
    await expect(bodies.load(file, variant)).rejects.toBeInstanceOf(BlobCorrupt);
    expect(bodies.get(variant)).toBeUndefined();
  });

  it('ends a stream before its last bytes when the digest is wrong', async () => {
    const large = Buffer.alloc(2 * MIB, 'a');
    const { file, variant } = await stored(large);
    await corrupt(file, 'identity', Buffer.alloc(2 * MIB, 'b'));
    let read = 0;
    const stream = await bodies.open(file, variant, new AbortController().signal);
    const reading = (async () => {
      for await (const chunk of stream as AsyncIterable<Buffer>) read += chunk.length;
    })();
    await expect(reading).rejects.toBeInstanceOf(BlobCorrupt);
    expect(read).toBeLessThan(large.length);
  });
});
