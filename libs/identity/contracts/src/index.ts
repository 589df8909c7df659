export { returnPath } from './return-path';
export { REFUSED_TOKEN_HEADER } from './session';
export type { BrowserSession, SessionList, SessionSummary, SessionUser, SignInProvider } from './session';
