import { createHash } from 'node:crypto';
import { statementOf } from '../domain/statement';
import type { BillingCatalog } from './billing-catalog.port';

/** A statement as it goes over the wire: the same bytes, and so the same tag, on every instance. */
export interface PublishedStatement {
  readonly body: Buffer;
  /** Quoted, strong: a hash of the bytes. */
  readonly etag: string;
}

/** States the prices. */
export class PriceBook {
  constructor(
    private readonly catalog: BillingCatalog,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /** @throws {CatalogUnavailable} */
  async statement(): Promise<PublishedStatement> {
    const body = Buffer.from(JSON.stringify(statementOf(await this.catalog.load(), this.now())));
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
  }
}
