import { testBuckets } from '../testing/test-buckets';
import { blobStoreContract } from '../testing/blob-store.contract';
import { S3BlobStore } from './s3-blob-store';

for (const [storage, options] of testBuckets()) {
  const store = new S3BlobStore(options);
  blobStoreContract(`${S3BlobStore.name} on ${storage}`, () => store);
}
