import type { FieldProblem } from './problem';
import { DomainError } from './domain-error';

/** The request violates a rule of the HTTP contract that applies to all domains. */
export class InvalidRequest extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'platform.invalid-request';
  override readonly fields: readonly FieldProblem[] | undefined;

  constructor(detail: string, fields?: readonly FieldProblem[]) {
    super(detail);
    this.fields = fields;
  }
}

export class NoRoute extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'platform.no-route';

  constructor() {
    super('There is no resource at this address.');
  }
}

export class MethodNotAllowed extends DomainError {
  readonly kind = 'method-not-allowed';
  readonly code = 'platform.method-not-allowed';
  override readonly headers: Readonly<Record<string, string>>;

  /**
   * @param allowed the allowed methods, for the `Allow` header.
   * @param method the method of the request.
   */
  constructor(allowed: readonly string[], method = 'This method') {
    super(`${method} is not allowed here. Allowed: ${allowed.join(', ')}.`);
    this.headers = { allow: allowed.join(', ') };
  }
}

/** The request did not arrive completely within the time limit. */
export class RequestTimedOut extends DomainError {
  readonly kind = 'request-timeout';
  readonly code = 'platform.request-timeout';

  constructor() {
    super('The request did not arrive completely within the time limit. Send it again.');
  }
}

/** The request has an `Expect` header with another value than `100-continue` (RFC 9110, section 10.1.1). */
export class ExpectationFailed extends DomainError {
  readonly kind = 'expectation-failed';
  readonly code = 'platform.expectation-failed';

  constructor() {
    super('The "Expect" header supports only the value "100-continue".');
  }
}

export class HeadersTooLarge extends DomainError {
  readonly kind = 'headers-too-large';
  readonly code = 'platform.headers-too-large';

  constructor() {
    super('The request headers exceed 16 KiB in total.');
  }
}

export class PayloadTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'platform.payload-too-large';

  constructor() {
    super('The request body exceeds the size limit of this address.');
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly kind = 'unsupported-media-type';
  readonly code = 'platform.unsupported-media-type';

  constructor(detail = 'This address does not accept the media type of the request body.') {
    super(detail);
  }
}

/** The caller exceeded the rate limit. `Retry-After` states when to try again. */
export class RateLimited extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'platform.rate-limited';

  constructor(override readonly headers: Readonly<Record<string, string>> = {}) {
    super('Too many requests were sent. Wait as long as Retry-After states, then try again.');
  }
}

/** This instance has more to do than it can finish soon, in all or for one organization. A retry may be served. */
export class CapacityUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.capacity-unavailable';
  override readonly headers = { 'retry-after': '1' };

  constructor() {
    super('The server is busy. Nothing was changed. Try again in 1 second.');
  }
}

/** PostgreSQL is unreachable or too slow. Reads can be repeated safely. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.database-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('Your data cannot be read or saved right now. Try again in a few seconds.', options);
  }
}

/** An unexpected error. The log has its cause under the request id. */
export class InternalError extends DomainError {
  readonly kind = 'internal';
  readonly code = 'platform.internal-error';

  constructor(options?: ErrorOptions) {
    super('Something went wrong on the server. Include the request ID when you report the problem.', options);
  }
}
