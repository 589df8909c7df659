import { blobInventoryContract } from '../testing/blob-inventory.contract';
import { InMemoryBlobInventory } from './in-memory-blob-inventory';
import { InMemoryBlobStore } from './in-memory-blob-store';

const store = new InMemoryBlobStore();
const inventory = new InMemoryBlobInventory(store);
blobInventoryContract(InMemoryBlobInventory.name, () => ({ store, inventory }));
