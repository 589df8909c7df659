import { DatabaseUnavailable, type DomainError, RateLimited } from '@homeport/kernel';
import { ApiProblems } from '@homeport/platform/server/http';
import {
  KeysUnavailable,
  OrganizationRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from '../../domain/identity.errors';
import { ScopeRequired } from '../../tokens/domain/tokens.errors';

/** Documents the problems of calls that need a token, and the given ones. */
export function PersonProblems(...more: readonly DomainError[]): ClassDecorator & MethodDecorator {
  return ApiProblems(
    new Unauthenticated(),
    new TokenInvalid('the token is unknown or revoked'),
    new TokenExpired(),
    new ScopeRequired(),
    new KeysUnavailable(),
    new DatabaseUnavailable(),
    new RateLimited(),
    ...more,
  );
}

/** Documents the problems of calls for an organization, and the given ones. */
export function MemberProblems(...more: readonly DomainError[]): ClassDecorator & MethodDecorator {
  return PersonProblems(new OrganizationRequired(), ...more);
}
