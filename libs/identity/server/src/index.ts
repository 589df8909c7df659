export type { AccessOptions } from './adapters/http/access.guard';
export { SessionCookies, sessionCookieName } from './adapters/http/session-cookies';
export { SignInHandler } from './adapters/http/sign-in-handler';
export { fetchBoundedJson, ISSUER_LIMITS } from './adapters/jwks/bounded-json';
export { JwksKeySet } from './adapters/jwks/jwks-key-set';
export { discoverJwksUri } from './adapters/openid/discover-jwks-uri';
export { OpenIdIdentityProvider } from './adapters/openid/openid-identity-provider';
export type { OpenIdOptions } from './adapters/openid/openid-identity-provider';
export { Sessions1763600000100 } from './adapters/postgres/migrations/1763600000100-sessions';
export { SessionList1763700000100 } from './adapters/postgres/migrations/1763700000100-session-list';
export { Tokens1764900000100 } from './adapters/postgres/migrations/1764900000100-tokens';
export { ExchangedTokens1766000000400 } from './adapters/postgres/migrations/1766000000400-exchanged-tokens';
export { PostgresIdentityUnitOfWork } from './adapters/postgres/postgres-identity-unit-of-work';
export { PostgresSealedSessions } from './adapters/postgres/postgres-sealed-sessions';
export type { SessionKeyUse } from './adapters/postgres/postgres-sealed-sessions';
export { PostgresSessionStore } from './adapters/postgres/postgres-session-store';
export { SessionEntity } from './adapters/postgres/session.entity';
export { AppDirectory } from './application/app-directory.port';
export { BrowserSignIn } from './application/browser-sign-in';
export type { ConfiguredProvider } from './application/browser-sign-in';
export { IdentityProvider } from './application/identity-provider.port';
export { AuditRecorder, IdentityUnitOfWork } from './tokens/application/identity-unit-of-work.port';
export type { IdentityEvent } from './tokens/application/identity-unit-of-work.port';
export { KeySet } from './application/key-set.port';
export { SessionStore } from './application/session-store.port';
export {
  KeysUnavailable,
  OrganizationRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from './domain/identity.errors';
export { callerOf, scopesOf } from './domain/route-policy';
export type { Caller, RoutePolicies, RoutePolicy, TokenPolicy } from './domain/route-policy';
export { SealedBox } from './domain/sealed-box';
export type { TokenRules } from './domain/token-policy';
export type { IdentityOptions, TokensOptions } from './identity.module';
export { PostgresTokenRepository } from './tokens/adapters/postgres/postgres-token-repository';
export { TokenEntity } from './tokens/adapters/postgres/token.entity';
export { TokenRepository } from './tokens/application/token-repository.port';
export { AppMissing, AppTokenRefused, ScopeRequired } from './tokens/domain/tokens.errors';
export { ExchangedTokenEntity } from './trusts/adapters/postgres/exchanged-token.entity';
export { PostgresTrustRepository } from './trusts/adapters/postgres/postgres-trust-repository';
export { TrustEntity } from './trusts/adapters/postgres/trust.entity';
export { TrustRepository } from './trusts/application/trust-repository.port';
