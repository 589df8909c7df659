export { isMember } from './actor';
export type { Actor, Member } from './actor';
export { returnPath } from './return-path';
export { NO_SESSION, REFUSED_TOKEN_HEADER } from './session';
export type { BrowserSession, SessionList, SessionSummary, SessionUser, SignInProvider } from './session';
