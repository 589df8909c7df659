import { isFullSuite, testBuckets } from '@homeport/platform/server/testing';
import { MemoryBudget } from '../../application/memory-budget';
import { largeObjectsContract } from '../../testing/large-objects.contract';
import { S3HttpObjectStore } from './s3-http-object-store';

const SAMPLE_MEGABYTES = [80];
const ALL_MEGABYTES = [80, 100, 200];

const sizes = isFullSuite ? ALL_MEGABYTES : SAMPLE_MEGABYTES;

for (const [storage, options] of testBuckets()) {
  const store = new S3HttpObjectStore(options, new MemoryBudget(32 * 1024 * 1024));
  largeObjectsContract(`${S3HttpObjectStore.name} on ${storage}`, () => store, sizes);
}
