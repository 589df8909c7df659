import { testBuckets } from '../testing/test-buckets';
import { blobInventoryContract } from '../testing/blob-inventory.contract';
import { S3BlobInventory } from './s3-blob-inventory';
import { S3BlobStore } from './s3-blob-store';

for (const [storage, options] of testBuckets()) {
  const adapters = { store: new S3BlobStore(options), inventory: new S3BlobInventory(options) };
  blobInventoryContract(`${S3BlobInventory.name} on ${storage}`, () => adapters);
}
