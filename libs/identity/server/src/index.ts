export { AccessGuard } from './adapters/http/access.guard';
export type { AccessOptions } from './adapters/http/access.guard';
export { CurrentActor, CurrentMember } from './adapters/http/current-actor';
export { SessionCookies, sessionCookieName } from './adapters/http/session-cookies';
export { SignInHandler } from './adapters/http/sign-in-handler';
export { JwksKeySet } from './adapters/jwks/jwks-key-set';
export { discoverJwksUri } from './adapters/openid/discover-jwks-uri';
export { OpenIdIdentityProvider } from './adapters/openid/openid-identity-provider';
export { Sessions1763600000100 } from './adapters/postgres/migrations/1763600000100-sessions';
export { SessionList1763700000100 } from './adapters/postgres/migrations/1763700000100-session-list';
export { PostgresSessionStore } from './adapters/postgres/postgres-session-store';
export { SessionEntity } from './adapters/postgres/session.entity';
export { BrowserSignIn } from './application/browser-sign-in';
export type { ConfiguredProvider } from './application/browser-sign-in';
export { IdentityProvider } from './application/identity-provider.port';
export { KeySet } from './application/key-set.port';
export { SessionStore } from './application/session-store.port';
export {
  KeysUnavailable,
  OrganizationRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from './domain/identity.errors';
export type { RoutePolicies, RoutePolicy } from './domain/route-policy';
export { SealedBox } from './domain/sealed-box';
export type { TokenRules } from './domain/token-policy';
export { IdentityModule } from './identity.module';
export type { IdentityOptions } from './identity.module';
export type { ProtectedResource } from './adapters/http/resource-metadata.controller';
export { ResourceMetadataModule } from './resource-metadata.module';
