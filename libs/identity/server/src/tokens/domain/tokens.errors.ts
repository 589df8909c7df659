import type { Scope } from '@homeport/identity/contracts';
import { DomainError } from '@homeport/kernel';

/** The token of the request does not permit the call. */
export class ScopeRequired extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.scope-required';
  override readonly headers: Readonly<Record<string, string>>;

  /** @param scopes the scopes that permit the call; empty when only a signed-in person may make it. */
  constructor(scopes: readonly Scope[] = []) {
    super(
      scopes.length === 0
        ? 'Only a signed-in person can make this call, not a token.'
        : `The token does not permit this call. It requires one of these scopes: ${scopes.join(', ')}.`,
    );
    const required = scopes.length === 0 ? '' : `, scope="${scopes.join(' ')}"`;
    this.headers = { 'www-authenticate': `Bearer error="insufficient_scope"${required}` };
  }
}

/** The token is bound to one app, and the call concerns the whole organization. */
export class AppTokenRefused extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.scope-required';

  constructor() {
    super('The token is limited to one app, and this call concerns all apps of the organization.');
  }
}

export class TokenQuotaExceeded extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.token-quota-exceeded';

  constructor(max: number) {
    super(`There can be at most ${max} tokens. Revoke one that is not in use.`);
  }
}

/** The organization has no app with this id. The same answer as of the app itself. */
export class AppMissing extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.not-found';

  constructor() {
    super('Your organization has no app with this id.');
  }
}
