import { objectStoreContract } from '../../testing/object-store.contract';
import { InMemoryObjectStore } from './in-memory-object-store';

const store = new InMemoryObjectStore();
objectStoreContract(InMemoryObjectStore.name, () => store);
