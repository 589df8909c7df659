import { VERSION } from '../domain/catalog';
import { VersionNotFound } from '../domain/pricing.errors';
import { verifyRevision } from '../domain/revision';
import { formatInstant } from '../domain/statement';
import type { PriceRevisions } from './price-revisions.port';
import { encodeRepresentations, type EncodedRepresentations } from './encoded-representations';

/** A published statement, and where its bytes are. */
export interface PublishedVersion {
  readonly version: string;
  readonly effectiveAt: string;
  readonly url: string;
}

/** Every statement that was ever published. */
export class PriceHistory {
  /** What was read once never changes; there are as many as were published. */
  readonly #representations = new Map<string, EncodedRepresentations>();

  constructor(private readonly revisions: PriceRevisions) {}

  /** In the order of their effect. @throws {DatabaseUnavailable} */
  async list(): Promise<PublishedVersion[]> {
    return (await this.revisions.list()).map(({ version, effectiveAt }) => ({
      version,
      effectiveAt: formatInstant(effectiveAt),
      url: `/v1/pricing/versions/${version}`,
    }));
  }

  /** @throws {VersionNotFound} @throws {DatabaseUnavailable} @throws {CatalogUnavailable} when it is not whole. */
  async get(version: string): Promise<EncodedRepresentations> {
    const known = this.#representations.get(version);
    if (known) return known;
    const revision = VERSION.test(version) ? await this.revisions.find(version) : undefined;
    if (!revision) throw new VersionNotFound();
    const printed = encodeRepresentations(verifyRevision(revision).body);
    this.#representations.set(version, printed);
    return printed;
  }
}
