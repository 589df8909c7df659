import { blobStoreContract } from '../testing/blob-store.contract';
import { InMemoryBlobStore } from './in-memory-blob-store';

const store = new InMemoryBlobStore();
blobStoreContract(InMemoryBlobStore.name, () => store);
