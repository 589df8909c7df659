import { recordOutages } from '@homeport/platform/server/testing';
import { blobStoreContract } from '../../testing/blob-store.contract';
import { InMemoryBlobStore } from '../memory/in-memory-blob-store';
import { ObservedBlobStore } from './observed-blob-store';

const store = new ObservedBlobStore(new InMemoryBlobStore(), recordOutages('storage').outages);
blobStoreContract(ObservedBlobStore.name, () => store);
