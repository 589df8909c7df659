import type { SubdomainFault } from '@homeport/apps/contracts';
import { DomainError } from '@homeport/kernel';

const RULES: Record<Exclude<SubdomainFault, 'reserved'>, string> = {
  length: 'The address of an app has 3 to 63 characters.',
  characters: 'The address of an app has only the letters a to z, digits and hyphens.',
  'hyphen-at-edge': 'The address of an app neither starts nor ends with a hyphen.',
  punycode: 'The address of an app has no two hyphens in the third and fourth place.',
};

export class SubdomainInvalid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.subdomain-invalid';
  override readonly fields;

  constructor(fault: Exclude<SubdomainFault, 'reserved'>) {
    super(RULES[fault]);
    this.fields = [{ field: 'name', reason: RULES[fault] }];
  }
}

export class SubdomainReserved extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.subdomain-reserved';
  override readonly fields;

  constructor(subdomain: string) {
    super(`The address "${subdomain}" is reserved.`);
    this.fields = [{ field: 'name', reason: this.message }];
  }
}

export class SubdomainTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.subdomain-taken';
  override readonly fields;

  constructor(subdomain: string) {
    super(`The address "${subdomain}" is in use.`);
    this.fields = [{ field: 'name', reason: this.message }];
  }
}

/** The organization has reached its maximum number of apps. */
export class AppQuotaExceeded extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'apps.quota-exceeded';

  constructor(quota: number) {
    super(`Your organization already has ${quota} apps, which is the maximum.`);
  }
}

export class IdempotencyMismatch extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'platform.idempotency-mismatch';

  constructor() {
    super('This Idempotency-Key was used for another request. Use a new one for each registration.');
  }
}

export class IdempotencyInProgress extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'platform.idempotency-in-progress';
  override readonly headers = { 'retry-after': '1' };

  constructor() {
    super('The first request with this Idempotency-Key is still running. Repeat it in a moment.');
  }
}

/** SSR apps cannot be registered, because the operator turned their servers off. */
export class RuntimeOff extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.runtime-off';

  constructor() {
    super('Homeport runs no servers here, so SSR apps cannot be registered. Register a static app.');
  }
}

/** The organization has no app with this id. The same for a malformed id and for an app of another organization. */
export class AppNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.not-found';

  constructor() {
    super('Your organization has no app with this id.');
  }
}
