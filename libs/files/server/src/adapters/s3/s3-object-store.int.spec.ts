import { MemoryBudget } from '../../application/memory-budget';
import { testBuckets } from '../../testing/buckets';
import { objectStoreContract } from '../../testing/object-store.contract';
import { S3ObjectStore } from './s3-object-store';

for (const [storage, options] of testBuckets()) {
  const store = new S3ObjectStore(options, new MemoryBudget(64 * 1024 * 1024));
  objectStoreContract(`${S3ObjectStore.name} on ${storage}`, () => store);
}
