import { DomainError } from '@homeport/kernel';

export type DomainNameFault =
  'ip-address' | 'wildcard' | 'url' | 'final-dot' | 'characters' | 'length' | 'single-label' | 'hyphens' | 'look-alike';

const RULES: Record<DomainNameFault, string> = {
  'ip-address': 'An IP address cannot be added. Enter a host name, such as www.example.com.',
  wildcard: 'Enter the name without "*.". To serve all apps below a name, add it as a base domain.',
  url: 'Enter a host name alone, such as www.example.com: no "https://", no port and no path.',
  'final-dot': 'Enter the name without the dot at its end.',
  characters: 'The name has a character that host names cannot have.',
  length: 'The name is too long. It can have 237 characters and 16 parts, and each part 63 characters.',
  'single-label': 'The name needs at least two parts, such as example.com.',
  hyphens: 'Only valid international names (xn--) have two hyphens at the third and fourth position between two dots.',
  'look-alike': 'The name has letters that look like other ones, so that it can be mistaken for another name.',
};

/** The name of a domain violates a rule. */
export class DomainInvalid extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.domain-invalid';
  override readonly fields;

  constructor(fault: DomainNameFault) {
    super(RULES[fault]);
    this.fields = [{ field: 'name', reason: RULES[fault] }];
  }
}

/** Base domains need certificates for all names below them, and this installation gets none. */
export class BaseDomainsUnavailable extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.domain-invalid';
  override readonly fields;

  constructor() {
    super('This installation cannot get certificates for base domains. Add the host name of each app instead.');
    this.fields = [{ field: 'kind', reason: this.message }];
  }
}

/** Other people can register names directly below it. */
export class DomainPublicSuffix extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.domain-public-suffix';
  override readonly fields;

  constructor(name: string) {
    super(
      `Anyone can register names below "${name}", so no organization can own it. Enter a name of your own below it.`,
    );
    this.fields = [{ field: 'name', reason: this.message }];
  }
}

/** The name is at, above or below a name of this installation, or reserved for special use. */
export class DomainReserved extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'apps.domain-reserved';
  override readonly fields;

  constructor(name: string) {
    super(`"${name}" belongs to this installation, or is reserved, so it cannot be added.`);
    this.fields = [{ field: 'name', reason: this.message }];
  }
}

/** Another organization has proved that it owns the name, or the own organization has added it. */
export class DomainTaken extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.domain-taken';
  override readonly fields;

  constructor(detail: string) {
    super(detail);
    this.fields = [{ field: 'name', reason: detail }];
  }

  static byAnother(name: string): DomainTaken {
    return new DomainTaken(
      `Another organization has verified "${name}". If the name is yours, remove its TXT record at "_homeport.${name}", and add the name again.`,
    );
  }

  static byOwn(name: string): DomainTaken {
    return new DomainTaken(`Your organization has already added "${name}".`);
  }
}

/** Another organization has verified a name above or below this one. */
export class DomainCovered extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.domain-covered';
  override readonly fields;

  constructor(name: string, other: string) {
    super(
      `Another organization has verified "${other}", which covers "${name}". If the name is yours, remove the TXT record at "_homeport.${other}", and add the name again.`,
    );
    this.fields = [{ field: 'name', reason: this.message }];
  }
}

/** The organization has too many domains without a proof, which cost us checks. */
export class DomainQuotaExceeded extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'apps.domain-quota-exceeded';

  constructor(quota: number) {
    super(
      `Your organization already has ${quota} domains that are not verified, which is the maximum. Create their records, or remove some.`,
    );
  }
}

/** The accepted price is not the price of the organization. */
export class DomainPriceChanged extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'apps.price-changed';
  override readonly fields;

  constructor(priceUsd: number) {
    super(`The domain costs ${priceUsd} USD a month. Send this price as "accept_price_usd" to accept it.`);
    this.fields = [{ field: 'accept_price_usd', reason: this.message }];
  }
}

/** The organization has no domain with this id. */
export class DomainNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'apps.domain-not-found';

  constructor() {
    super('Your organization has no domain with this id.');
  }
}
