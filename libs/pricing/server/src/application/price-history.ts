import { VERSION } from '../domain/catalog';
import { VersionNotFound } from '../domain/pricing.errors';
import { openRevision } from '../domain/revision';
import { instantText } from '../domain/statement';
import type { PriceRevisions } from './price-revisions.port';
import { print, type Printed } from './printed';

/** A published statement, and where its bytes are. */
export interface PublishedVersion {
  readonly version: string;
  readonly effectiveAt: string;
  readonly url: string;
}

/** Every statement that was ever published. */
export class PriceHistory {
  /** What was read once never changes; there are as many as were published. */
  readonly #printed = new Map<string, Printed>();

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
  async get(version: string): Promise<Printed> {
    const known = this.#printed.get(version);
    if (known) return known;
    const revision = VERSION.test(version) ? await this.revisions.find(version) : undefined;
    if (!revision) throw new VersionNotFound();
    const printed = print(openRevision(revision).body);
    this.#printed.set(version, printed);
    return printed;
  }
}
