export type { Child } from './child-service.ts';
export { startApi, startHomeport } from './homeport.ts';
export type { RunningHomeport } from './homeport.ts';
export { signInThrough } from './identity/testing/sign-in-walker.ts';
export { freePort } from './ports.ts';
export { ServerProcess as S3Process } from './s3/testing/child.ts';
