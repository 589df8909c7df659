import { embeddedBucket } from '../../testing/embedded-bucket';
import { objectStoreContract } from '../../testing/object-store.contract';
import { S3WireObjectStore } from './s3-wire-object-store';

const store = new S3WireObjectStore(embeddedBucket());
objectStoreContract(S3WireObjectStore.name, () => store);
