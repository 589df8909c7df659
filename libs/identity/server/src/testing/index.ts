export { InMemorySessionStore } from '../adapters/memory/in-memory-session-store';
export { FakeClock } from './fake-clock';
export { FakeIdentityProvider } from './fake-identity-provider';
export { sessionStoreContract } from './session-store.contract';
export { TestIssuer } from './test-issuer';
