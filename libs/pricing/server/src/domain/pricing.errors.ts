import { DomainError } from '@homeport/platform/server';

/** The catalog cannot be read, or is not whole. Nobody ever gets a part of a statement. */
export class CatalogUnavailable extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'pricing.catalog-unavailable';
  override readonly headers = { 'retry-after': '5' };

  /** @param problems what is wrong, for the log and for whoever edits the catalog. */
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super('The prices cannot be stated right now. Try again in a few seconds.', {
      cause: options?.cause ?? new Error(problems.join('\n')),
    });
  }
}
