import { sessionStoreContract } from '../../testing/session-store.contract';
import { InMemorySessionStore } from './in-memory-session-store';

const store = new InMemorySessionStore();
sessionStoreContract(InMemorySessionStore.name, () => store);
