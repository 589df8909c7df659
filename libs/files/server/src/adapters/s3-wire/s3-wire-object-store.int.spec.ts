import { testBuckets } from '@homeport/platform/server/testing';
import { MemoryBudget } from '../../application/memory-budget';
import { objectStoreContract } from '../../testing/object-store.contract';
import { SMALL_PARTS } from '../../testing/small-parts';
import { S3WireObjectStore } from './s3-wire-object-store';

for (const [storage, options] of testBuckets()) {
  const store = new S3WireObjectStore({ ...options, ...SMALL_PARTS }, new MemoryBudget(64 * 1024 * 1024));
  objectStoreContract(`${S3WireObjectStore.name} on ${storage}`, () => store);
}
