import { DomainError } from '@homeport/kernel';

/** The request carries no bearer token. */
export class Unauthenticated extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.unauthenticated';
  override readonly headers = { 'www-authenticate': 'Bearer' };

  constructor() {
    super('This address requires a bearer token in the Authorization header.');
  }
}

/** The token is forged or violates a rule. */
export class TokenInvalid extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.token-invalid';
  override readonly headers = { 'www-authenticate': 'Bearer error="invalid_token"' };

  /**
   * @param reason is logged and hidden from the caller.
   * @param detail for the caller, when the signature of the token is verified.
   */
  constructor(reason: string, detail = 'The bearer token is not valid here.') {
    super(detail, { cause: reason });
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

/** The signing keys cannot be read now, so the token cannot be checked. Never a 401. */
export class KeysUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.keys-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('Sign-ins and tokens cannot be verified right now. Try again in a few seconds.', options);
  }
}

export class OrganizationRequired extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.organization-required';

  constructor() {
    super('Apps and usage belong to an organization, and your account is not in one. Ask an administrator to add you.');
  }
}

/** The session does not exist or has ended. */
export class NoSession extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.unauthenticated';
  override readonly headers = { 'www-authenticate': 'Bearer' };

  constructor() {
    super('You are not signed in.');
  }
}

/** A session request that did not come from a same-origin page. */
export class CrossOriginRefused extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'identity.cross-origin-refused';

  constructor() {
    super('Only pages of the same origin may call this address.');
  }
}

export class SignInDisabled extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'identity.sign-in-disabled';

  constructor() {
    super('Browser sign-in is not configured here.');
  }
}

/** The identity service refused a grant permanently: the sign-in or the session has ended. */
export class GrantRefused extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'identity.grant-refused';

  constructor(options?: ErrorOptions) {
    super('The sign-in service ended this session. Sign in again.', options);
  }
}

/** A renewal returned a new refresh token, which must be stored, in an otherwise unusable response. */
export class GrantUnusable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.service-unavailable';

  constructor(
    readonly refreshToken: string,
    options?: ErrorOptions,
  ) {
    super('The sign-in service sent an unusable response. If it fails again, report it with the request ID.', options);
  }
}

/**
 * The identity service is unavailable or responds incorrectly. The person stays signed in; the call can be repeated.
 */
export class IdentityProviderUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'identity.service-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('The sign-in service does not answer right now. Try again in a few seconds.', options);
  }
}
