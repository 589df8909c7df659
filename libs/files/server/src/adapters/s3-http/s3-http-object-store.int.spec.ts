import { testBuckets } from '@homeport/platform/server/testing';
import { MemoryBudget } from '../../application/memory-budget';
import { objectStoreContract } from '../../testing/object-store.contract';
import { LOW_MULTIPART_THRESHOLD } from '../../testing/low-multipart-threshold';
import { S3HttpObjectStore } from './s3-http-object-store';

for (const [storage, options] of testBuckets()) {
  const store = new S3HttpObjectStore({ ...options, ...LOW_MULTIPART_THRESHOLD }, new MemoryBudget(64 * 1024 * 1024));
  objectStoreContract(`${S3HttpObjectStore.name} on ${storage}`, () => store);
}
