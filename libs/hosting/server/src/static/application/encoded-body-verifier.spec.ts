import { hash, randomUUID } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { BlobCorrupt, blobKey, InMemoryBlobStore } from '@homeport/platform/server/blobs';
import { BlobCache } from './blob-cache';
import type { SiteFile } from '../../routing/application/site-directory.port';

const MIB = 1024 * 1024;
const FILE_BYTES = 16 * MIB;
const FILES = 12;
const { signal } = new AbortController();

describe('EncodedBodyVerifier with large files', () => {
  let digest: string;
  let bodiesOf: Record<'br' | 'gzip', Buffer>;

  beforeAll(() => {
    const large = Buffer.alloc(FILE_BYTES, 'a');
    digest = hash('sha256', large, 'hex');
    const br = brotliCompressSync(large, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
    bodiesOf = { br, gzip: gzipSync(large) };
  });

  /** Loads compressed files concurrently. @returns the outcomes. */
  const load = async (count: number, encoding: 'br' | 'gzip', changes: Partial<SiteFile> = {}) => {
    const store = new InMemoryBlobStore();
    const bodies = new BlobCache(store, 4 * MIB);
    const bytes = bodiesOf[encoding];
    const loads: (Promise<Buffer> | undefined)[] = [];
    for (let i = 0; i < count; i += 1) {
      const blob = blobKey('northwind', digest, randomUUID());
      await store.put(blob, encoding, bytes, signal);
      const file: SiteFile = {
        deployId: `deploy-${i % 3}`,
        path: 'a.txt',
        size: FILE_BYTES,
        contentType: 'text/plain',
        digest,
        blob,
        brSize: bodiesOf.br.length,
        gzipSize: bodiesOf.gzip.length,
        ...changes,
      };
      loads.push(bodies.load(file, { key: blob, encoding, size: bytes.length }));
    }
    return Promise.allSettled(loads);
  };

  it.each(['br', 'gzip'] as const)('verifies bodies without buffering the decoded files (%s)', async (encoding) => {
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    let isLoading = true;
    const sample = () => {
      peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      if (isLoading) setImmediate(sample);
    };
    sample();
    const outcomes = await load(FILES, encoding);
    isLoading = false;
    expect(outcomes).toEqual(Array.from({ length: FILES }, () => ({ status: 'fulfilled', value: bodiesOf[encoding] })));
    expect(peak).toBeLessThan((FILES * FILE_BYTES) / 2);
  });

  it.each(['br', 'gzip'] as const)('rejects bodies that decode to more or other bytes (%s)', async (encoding) => {
    for (const changes of [{ size: FILE_BYTES - 1 }, { digest: digest.replace(/./g, '0') }]) {
      const [outcome] = await load(1, encoding, changes);
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(BlobCorrupt) });
    }
  });
});
