import { embeddedServices, recordOutages, testBuckets } from '@homeport/platform/server/testing';
import type { S3Options } from '@homeport/platform/server/storage';
import { describe, expect, it } from '@jest/globals';
import { MemoryBudget } from '../../application/memory-budget';
import type { WorkspaceKey, WorkspacePrefix } from '../../domain/workspace-key';
import { S3ObjectStore } from '../s3/s3-object-store';
import { ObservedObjectStore } from './observed-object-store';

const signal = new AbortController().signal;
const PREFIX = 'u/outages/' as WorkspacePrefix;
const FILE = 'u/outages/secret-plan.md' as WorkspaceKey;
const WRONG_SECRET = 'wrong-secret-value';

const [[, options] = []] = testBuckets();
const credentials = options?.credentials as NonNullable<S3Options['credentials']>;

const upload = () => ({
  body: Buffer.from('a'),
  contentType: 'text/plain',
  condition: undefined,
  signal,
});

const opened = (change: Partial<S3Options>) => {
  const { outages, lines } = recordOutages('storage');
  const store = new S3ObjectStore({ ...(options as S3Options), ...change }, new MemoryBudget(1024 ** 2));
  return { store: new ObservedObjectStore(store, outages), lines };
};

describe.each([
  ['an unknown key', { credentials: { ...credentials, accessKeyId: 'UNKNOWNKEY' } }, 'InvalidAccessKeyId'],
  ['a wrong secret', { credentials: { ...credentials, secretAccessKey: WRONG_SECRET } }, 'SignatureDoesNotMatch'],
  ['a bucket that does not exist', { bucket: 'no-such-bucket' }, 'NoSuchBucket'],
])('storage with %s', (_what, change, cause) => {
  it.each([
    ['the health check', (store: ObservedObjectStore) => store.ready(signal)],
    ['a listing', (store: ObservedObjectStore) => store.list(PREFIX, { limit: 1 })],
    ['a read', (store: ObservedObjectStore) => store.get(FILE, {}, signal)],
    ['a write', (store: ObservedObjectStore) => store.put(FILE, upload())],
    ['the compatibility check', (store: ObservedObjectStore) => store.checkCompatibility()],
  ])(`logs ${cause} for %s`, async (_by, call) => {
    const { store, lines } = opened(change);
    await expect(call(store)).rejects.toThrow();
    expect(lines).toMatchObject([{ msg: 'dependency failed', dependency: 'storage', cause }]);
    const text = JSON.stringify(lines);
    for (const secret of ['secret-plan', WRONG_SECRET, embeddedServices()['S3_SECRET_ACCESS_KEY']]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('storage that refuses connections', () => {
  it('logs ECONNREFUSED for a read', async () => {
    const { store, lines } = opened({ endpoint: 'http://127.0.0.1:1' });
    await expect(store.get(FILE, {}, signal)).rejects.toThrow();
    expect(lines).toMatchObject([{ msg: 'dependency failed', dependency: 'storage', cause: 'ECONNREFUSED' }]);
  });
});
