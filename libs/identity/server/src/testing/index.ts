export { InMemorySessionStore } from '../adapters/memory/in-memory-session-store';
export { ScriptedClock } from './scripted-clock';
export { ScriptedIdentityService } from './scripted-identity-service';
export { sessionStoreContract } from './session-store.contract';
export { TestIssuer } from './test-issuer';
