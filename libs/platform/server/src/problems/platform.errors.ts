import type { FieldProblem } from '@homeport/platform/contracts';
import { DomainError } from './domain-error';

/** The request breaks a rule of the contract that belongs to no single domain. */
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
    super('There is nothing at this address.');
  }
}

export class MethodNotAllowed extends DomainError {
  readonly kind = 'method-not-allowed';
  readonly code = 'platform.method-not-allowed';
  override readonly headers: Readonly<Record<string, string>>;

  /** @param allowed the methods this address does answer, for the `Allow` header. */
  constructor(allowed: readonly string[]) {
    super(`This address answers ${allowed.join(', ')}.`);
    this.headers = { allow: allowed.join(', ') };
  }
}

/** The request did not arrive completely within the time limit. */
export class RequestTimedOut extends DomainError {
  readonly kind = 'request-timeout';
  readonly code = 'platform.request-timeout';

  constructor() {
    super('The request did not arrive completely in time. Send it again.');
  }
}

export class HeadersTooLarge extends DomainError {
  readonly kind = 'headers-too-large';
  readonly code = 'platform.headers-too-large';

  constructor() {
    super('The headers of the request are larger than 16 KiB together.');
  }
}

export class PayloadTooLarge extends DomainError {
  readonly kind = 'too-large';
  readonly code = 'platform.payload-too-large';

  constructor() {
    super('The request body is larger than this address accepts.');
  }
}

export class UnsupportedMediaType extends DomainError {
  readonly kind = 'unsupported-media-type';
  readonly code = 'platform.unsupported-media-type';

  constructor(detail = 'The request body has a media type this address does not accept.') {
    super(detail);
  }
}

/** The caller has used up what a minute allows; the headers say until when. */
export class RateLimited extends DomainError {
  readonly kind = 'rate-limited';
  readonly code = 'platform.rate-limited';

  constructor(override readonly headers: Readonly<Record<string, string>> = {}) {
    super('Too many requests. Wait as long as Retry-After says, and try again.');
  }
}

/** As many large answers are being sent as this instance, or one organization, may have at a time. */
export class CapacityUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.capacity-unavailable';
  override readonly headers = { 'retry-after': '1' };

  constructor() {
    super('The server is busy sending other large responses. Try again in 1 second.');
  }
}

/** PostgreSQL did not answer, or not in time. Repeating the request later is safe for reads. */
export class DatabaseUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform.database-unavailable';
  override readonly headers = { 'retry-after': '5' };

  constructor(options?: ErrorOptions) {
    super('The database does not answer right now. Try again in a few seconds.', options);
  }
}

/** Anything nobody foresaw; the cause is in the log under the request id. */
export class InternalError extends DomainError {
  readonly kind = 'internal';
  readonly code = 'platform.internal-error';

  constructor(options?: ErrorOptions) {
    super('Something went wrong on our side. Quote the request id when you report it.', options);
  }
}
