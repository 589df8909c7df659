export { startHomeport } from './homeport.ts';
export type { RunningHomeport } from './homeport.ts';
export { signInThrough } from './identity/testing/sign-in-walker.ts';
