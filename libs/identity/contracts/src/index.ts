export { ORGANIZATION_SCOPES, PERSONAL_SCOPES } from './access-token';
export type {
  AccessToken,
  AccessTokenList,
  CreateAccessToken,
  CreatedAccessToken,
  OrganizationScope,
  PersonalScope,
  TokenKind,
  TokenScope,
} from './access-token';
export { isMember } from './actor';
export type { Actor, Member } from './actor';
export { returnPath } from './return-path';
export { NO_SESSION, REFUSED_TOKEN_HEADER } from './session';
export type { BrowserSession, SessionList, SessionSummary, SessionUser, SignInProvider } from './session';
