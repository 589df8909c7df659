import { isFullSuite, testBuckets } from '@homeport/platform/server/testing';
import { MemoryBudget } from '../../application/memory-budget';
import { largeObjectsContract } from '../../testing/large-objects.contract';
import { S3ObjectStore } from './s3-object-store';

const MEMORY_BUDGET_BYTES = 32 * 1024 * 1024;
/** Larger than the memory budget. */
const SAMPLE_MEGABYTES = [40];
const ALL_MEGABYTES = [40, 80, 100, 200];

const sizes = isFullSuite ? ALL_MEGABYTES : SAMPLE_MEGABYTES;

for (const [storage, options] of testBuckets()) {
  const store = new S3ObjectStore(options, new MemoryBudget(MEMORY_BUDGET_BYTES));
  largeObjectsContract(`${S3ObjectStore.name} on ${storage}`, () => store, sizes);
}
