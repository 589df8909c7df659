import { MemoryBudget } from '../../application/memory-budget';
import { testBuckets } from '../../testing/buckets';
import { objectStoreContract } from '../../testing/object-store.contract';
import { S3WireObjectStore } from './s3-wire-object-store';

for (const [storage, options] of testBuckets()) {
  const store = new S3WireObjectStore(options, new MemoryBudget(64 * 1024 * 1024));
  objectStoreContract(`${S3WireObjectStore.name} on ${storage}`, () => store);
}
