import {
  KeysUnavailable,
  OrganizationRequired,
  TokenExpired,
  TokenInvalid,
  Unauthenticated,
} from '@homeport/identity/server';
import { type DomainError, ApiProblems, RateLimited } from '@homeport/platform/server';

/** What every call for an organization may be refused with, and what else these may. */
export function MemberProblems(...more: readonly DomainError[]): ClassDecorator & MethodDecorator {
  return ApiProblems(
    new Unauthenticated(),
    new TokenInvalid(''),
    new TokenExpired(),
    new OrganizationRequired(),
    new KeysUnavailable(),
    ...more,
    new RateLimited(),
  );
}
