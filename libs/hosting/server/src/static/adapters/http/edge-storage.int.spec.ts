import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testBuckets } from '@homeport/platform/server/testing';
import { type EdgeFixture, EdgeFixtures } from '../../../testing/edge-fixture';
import { S3BlobStore } from '@homeport/platform/server/storage';

describe.each([...testBuckets()])('sites whose files are on %s', (_name, bucket) => {
  const fixtures = new EdgeFixtures(new S3BlobStore(bucket));
  const large = randomBytes(5 * 1024 * 1024);
  const text = 'Words that are worth their compression. '.repeat(100);
  let fixture: EdgeFixture;

  beforeAll(async () => {
    fixture = await fixtures.open(await fixtures.prepare());
  });

  afterAll(() => fixtures.drop());

  it('are served whole, compressed and in ranges', async () => {
    const { get } = await fixture.opened({
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
    // A background check may have timed out on a busy machine; the next one must succeed.
    const readiness = async () =>
      JSON.parse((await fixture.at('localhost', '/health/ready')).body) as { status: string };
    while ((await readiness()).status !== 'ok') await setTimeout(100);
  });
});
