export { returnPath } from './return-path';
export type { BrowserSession, SessionUser, SignInProvider } from './session';
