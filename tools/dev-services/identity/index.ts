export { CLI_CLIENT_ID } from './broker.ts';
export { startIdentity } from './identity.ts';
export type { IdentityOptions, ProviderChoice, RunningIdentity } from './identity.ts';
export type { Person } from './people.ts';
