import { VERSION } from '../domain/catalog';
import { VersionNotFound } from '../domain/pricing.errors';
import { verifyRevision } from '../domain/revision';
import { formatInstant } from '../domain/statement';
import type { PriceRevisions } from './price-revisions.port';
import { encodeRepresentations, type EncodedRepresentations } from './encoded-representations';

/** A published statement and its URL. */
export interface PublishedVersion {
  readonly version: string;
  readonly effectiveAt: string;
  readonly url: string;
}

/** Reads all published statements. */
export class PriceHistory {
  /** Cached without a limit: statements are immutable and few. */
  readonly #representations = new Map<string, EncodedRepresentations>();

  constructor(private readonly revisions: PriceRevisions) {}

  /** Lists all versions by effective date. @throws {DatabaseUnavailable} */
  async list(): Promise<PublishedVersion[]> {
    return (await this.revisions.list()).map(({ version, effectiveAt }) => ({
      version,
      effectiveAt: formatInstant(effectiveAt),
      url: `/v1/pricing/versions/${version}`,
    }));
  }

  /** @throws {VersionNotFound} @throws {DatabaseUnavailable} @throws {CatalogUnavailable} when it is corrupt. */
  async get(version: string): Promise<EncodedRepresentations> {
    const cached = this.#representations.get(version);
    if (cached) return cached;
    const revision = VERSION.test(version) ? await this.revisions.find(version) : undefined;
    if (!revision) throw new VersionNotFound();
    const representations = encodeRepresentations(verifyRevision(revision).body);
    this.#representations.set(version, representations);
    return representations;
  }
}
