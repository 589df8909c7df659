import { recordOutages } from '../testing/record-outages';
import { testBuckets } from '../testing/test-buckets';
import type { S3Options } from '../storage/s3-client';
import { describe, expect, it } from '@jest/globals';
import type { BlobKey } from './blob-key';
import { S3BlobStore } from '../storage/s3-blob-store';
import { ObservedBlobStore } from './observed-blob-store';

const signal = new AbortController().signal;
const KEY = 'sites/outages/a' as BlobKey;
const [[, options] = []] = testBuckets();
const credentials = options?.credentials as NonNullable<S3Options['credentials']>;

describe.each([
  ['an unknown key', { credentials: { ...credentials, accessKeyId: 'UNKNOWNKEY' } }, 'InvalidAccessKeyId'],
  ['a wrong secret', { credentials: { ...credentials, secretAccessKey: 'wrong' } }, 'SignatureDoesNotMatch'],
  ['a bucket that does not exist', { bucket: 'no-such-bucket' }, 'NoSuchBucket'],
])('deploy storage with %s', (_what, change, cause) => {
  it.each([
    ['the health check', (store: ObservedBlobStore) => store.ready(signal)],
    ['a read', (store: ObservedBlobStore) => store.open(KEY, 'identity', { signal })],
    ['a write', (store: ObservedBlobStore) => store.put(KEY, 'identity', Buffer.from('a'), signal)],
    ['a removal', (store: ObservedBlobStore) => store.remove(KEY)],
  ])(`logs ${cause} for %s`, async (_by, call) => {
    const { outages, lines } = recordOutages('storage');
    const store = new ObservedBlobStore(new S3BlobStore({ ...(options as S3Options), ...change }), outages);
    await expect(call(store)).rejects.toThrow();
    expect(lines).toMatchObject([{ msg: 'dependency failed', dependency: 'storage', cause }]);
  });
});
