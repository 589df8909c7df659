import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testBuckets } from '@homeport/platform/server/testing';
import { type EdgeFixture, EdgeFixtures } from '../../testing/sites/edge-fixture';
import { S3BlobStore } from '../s3/s3-blob-store';

describe.each([...testBuckets()])('sites whose files are on %s', (_name, bucket) => {
  const scenes = new EdgeFixtures(new S3BlobStore(bucket));
  const large = randomBytes(5 * 1024 * 1024);
  const text = 'Words that are worth their compression. '.repeat(100);
  let scene: EdgeFixture;

  beforeAll(async () => {
    scene = await scenes.open(await scenes.prepare());
  });

  afterAll(() => scenes.drop());

  it('are served whole, in codings and in parts', async () => {
    const { get } = await scene.opened({
      'a.txt': { body: text, codings: ['br', 'gzip'] },
      'large.bin': large,
      'empty.txt': '',
    });
    for (let i = 0; i < 2; i++) {
      expect((await get('/a.txt')).body).toBe(text);
      expect(brotliDecompressSync((await get('/a.txt', { 'accept-encoding': 'br' })).bytes).toString()).toBe(text);
      expect((await get('/large.bin')).bytes.equals(large)).toBe(true);
      expect(await get('/empty.txt')).toMatchObject({ status: 200, body: '' });
      for (const [first, last] of [
        [0, 0],
        [1_000_000, 3_999_999],
        [large.length - 1, large.length - 1],
      ] as const) {
        const part = await get('/large.bin', { range: `bytes=${first}-${last}` });
        expect(part.status).toBe(206);
        expect(part.bytes.equals(large.subarray(first, last + 1))).toBe(true);
      }
    }
    expect(JSON.parse((await scene.at('localhost', '/health/ready')).body)).toMatchObject({ status: 'ok' });
  });
});
