export { actorKindOf, auditNameOf, displayNameOf, isMember } from './actor';
export type { Actor, Member, TokenGrant } from './actor';
export { returnPath } from './return-path';
export { ORGANIZATION_SCOPES, PERSONAL_SCOPES } from './scopes';
export type { Scope } from './scopes';
export { NO_SESSION, REFUSED_TOKEN_HEADER } from './session';
export type { BrowserSession, SessionList, SessionSummary, SessionUser, SignInProvider } from './session';
export type { ApiToken, ApiTokenList, CreatedApiToken, ExchangedToken, Trust, TrustList } from './tokens';
