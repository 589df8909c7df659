import { VERSION } from '../domain/catalog';
import { VersionNotFound } from '../domain/pricing.errors';
import { type OpenRevision, openRevision } from '../domain/revision';
import { instantText } from '../domain/statement';
import type { PriceRevisions } from './price-revisions.port';

/** A published statement, and where its bytes are. */
export interface PublishedVersion {
  readonly version: string;
  readonly effectiveAt: string;
  readonly url: string;
}

/** Every statement that was ever published. */
export class PriceHistory {
  constructor(private readonly revisions: PriceRevisions) {}

  /** In the order of their effect. @throws {DatabaseUnavailable} */
  async list(): Promise<PublishedVersion[]> {
    return (await this.revisions.heads()).map(({ version, effectiveAt }) => ({
      version,
      effectiveAt: instantText(effectiveAt),
      url: `/v1/pricing/versions/${version}`,
    }));
  }

  /** @throws {VersionNotFound} @throws {DatabaseUnavailable} @throws {CatalogUnavailable} when it is not whole. */
  async get(version: string): Promise<OpenRevision> {
    const revision = VERSION.test(version) ? await this.revisions.find(version) : undefined;
    if (!revision) throw new VersionNotFound();
    return openRevision(revision);
  }
}
