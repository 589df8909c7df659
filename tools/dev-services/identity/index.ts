export { startIdentity } from './identity.ts';
export type { IdentityOptions, ProviderChoice, RunningIdentity } from './identity.ts';
export type { Person } from './people.ts';
