import { DomainError } from '@homeport/platform/server';

/** The catalog cannot be read, or is not whole. Nobody ever gets a part of a statement. */
export class CatalogUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'pricing.catalog-unavailable';
  override readonly headers = { 'retry-after': '5' };

  /** @param problems what is wrong, for the log and for whoever edits the catalog. */
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super('The prices cannot be stated right now. Try again in a few seconds.', {
      cause: options?.cause ?? new Error(problems.join('\n')),
    });
  }
}

/** A catalog that is whole, but may not be published; for whoever publishes it. */
export class PublicationRefused extends Error {
  override readonly name = 'PublicationRefused';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The caller has an older statement in front of them than the one in force. */
export class VersionSuperseded extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'pricing.version-superseded';

  constructor(current: string) {
    super(`The prices have another version now: ${current}. Read the statement again.`);
  }
}

/** No statement has this version. */
export class VersionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'pricing.version-not-found';

  constructor() {
    super('There is no statement of this version.');
  }
}

/** The account is older than the first usage card: it has a legacy plan, which is charged outside of this module. */
export class NoUsageCardForAccount extends Error {
  override readonly name = 'NoUsageCardForAccount';

  constructor(account: string) {
    super(`The account ${account} was created before the first usage card.`);
  }
}
