import { DomainError } from '@homeport/platform/server';

/** The request carries no bearer token. */
export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.unauthenticated';
  override readonly headers = { 'www-authenticate': 'Bearer' };

  constructor() {
    super('This address needs a bearer token in the Authorization header.');
  }
}

/** The token is not one of ours, or breaks a rule; which one is for the log, not for the caller. */
export class TokenInvalid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.token-invalid';
  override readonly headers = { 'www-authenticate': 'Bearer error="invalid_token"' };

  constructor(reason: string) {
    super('The bearer token is not valid here.', { cause: reason });
  }
}

export class TokenExpired extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.token-expired';
  override readonly headers = {
    'www-authenticate': 'Bearer error="invalid_token", error_description="The token expired"',
  };

  constructor() {
    super('The bearer token has expired. Get a new one and repeat the request.');
  }
}

/** The signing keys cannot be read now, so nobody can say whether the token is good. Never a 401. */
export class KeysUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.keys-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('Tokens cannot be checked right now. Try again in a few seconds.', options);
  }
}

export class OrganizationRequired extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.organization-required';

  constructor() {
    super('Apps belong to an organization, and your account has none.');
  }
}

/** There is no session, or it has ended. */
export class NoSession extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.unauthenticated';
  override readonly headers = { 'www-authenticate': 'Bearer' };

  constructor() {
    super('You are not signed in.');
  }
}

/** A session call that did not come from a page of ours. */
export class CrossOriginRefused extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.cross-origin-refused';

  constructor() {
    super('This address answers only pages of the same origin.');
  }
}

export class SignInDisabled extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'identity.sign-in-disabled';

  constructor() {
    super('Browser sign-in is not configured here.');
  }
}

/** The identity service refused a grant for good: the sign-in, or the session behind a refresh token, is over. */
export class GrantRefused extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.grant-refused';

  constructor(options?: ErrorOptions) {
    super('The identity service ended this session.', options);
  }
}

/** A renewal brought a new refresh token and nothing else that can be used. The new one must be stored. */
export class GrantUnusable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.service-unavailable';

  constructor(
    readonly refreshToken: string,
    options?: ErrorOptions,
  ) {
    super('The identity service gave an answer that cannot be used.', options);
  }
}

/** The identity service does not answer, or not as it should. The person stays signed in; the call can be repeated. */
export class IdentityProviderUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.service-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('The identity service does not answer right now. Try again in a few seconds.', options);
  }
}
