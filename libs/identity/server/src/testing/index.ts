export { InMemorySessionStore } from '../adapters/memory/in-memory-session-store';
export { sessionStoreContract } from './session-store.contract';
export { TestIssuer } from './test-issuer';
