import { DomainError } from '@homeport/kernel';

/** The catalog cannot be read or is invalid. Partial statements are never returned. */
export class CatalogUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'pricing.catalog-unavailable';
  override readonly headers = { 'retry-after': '5' };

  /** @param problems details for the log and for the editor of the catalog. */
  constructor(
    readonly problems: readonly string[],
    options?: ErrorOptions,
  ) {
    super('Pricing is temporarily unavailable. Try again in a few seconds.', {
      cause: options?.cause ?? new Error(problems.join('\n')),
    });
  }
}

/** The catalog is valid, but publication rules reject it. The problems are shown to the publisher. */
export class PublicationRefused extends Error {
  override readonly name = 'PublicationRefused';

  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

/** The caller uses an older statement than the current one. */
export class VersionSuperseded extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'pricing.version-superseded';

  constructor(current: string) {
    super(`The prices have changed. The current version is ${current}. Read the statement again.`);
  }
}

/** No statement has this version. */
export class VersionNotFound extends DomainError {
  readonly kind = 'not-found';
  readonly code = 'pricing.version-not-found';

  constructor() {
    super('There is no statement with this version.');
  }
}

/** The account is older than the first usage card: its legacy plan is charged outside of this module. */
export class NoUsageCardForAccount extends Error {
  override readonly name = 'NoUsageCardForAccount';

  constructor(account: string) {
    super(`The account ${account} was created before the first usage card.`);
  }
}

/** A correction is invalid. The message is shown to the operator. */
export class CorrectionRefused extends Error {
  override readonly name = 'CorrectionRefused';
}
