export { returnPath } from './return-path';
export type { BrowserSession, SessionList, SessionSummary, SessionUser, SignInProvider } from './session';
