import { embeddedBucket } from '../../testing/embedded-bucket';
import { objectStoreContract } from '../../testing/object-store.contract';
import { S3ObjectStore } from './s3-object-store';

const store = new S3ObjectStore(embeddedBucket());
objectStoreContract(S3ObjectStore.name, () => store);
