import {
  KeysUnavailable,
  OrganizationRequired,
  ScopeRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from '@homeport/identity/server';
import { DatabaseUnavailable, type DomainError, RateLimited } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';

/** Documents the problems common to all calls for an organization, and the given ones. */
export function MemberProblems(...more: readonly DomainError[]): ClassDecorator & MethodDecorator {
  return ApiProblems(
    new Unauthenticated(),
    new TokenInvalid('the token is unknown or revoked'),
    new TokenExpired(),
    new OrganizationRequired(),
    new ScopeRequired(),
    new KeysUnavailable(),
    new DatabaseUnavailable(),
    ...more,
    new RateLimited(),
  );
}
