import { recordOutages } from '../testing/record-outages';
import { blobStoreContract } from '../testing/blob-store.contract';
import { InMemoryBlobStore } from './in-memory-blob-store';
import { ObservedBlobStore } from './observed-blob-store';

const store = new ObservedBlobStore(new InMemoryBlobStore(), recordOutages('storage').outages);
blobStoreContract(ObservedBlobStore.name, () => store);
