import { type Estimate, estimateOf, type EstimateRequest, rate, usageFaults } from '@homeport/pricing/contracts';
import { InvalidRequest } from '@homeport/kernel';
import { VersionSuperseded } from '../domain/pricing.errors';
import type { PriceBook } from './price-book';

/** Estimates the cost of a usage with the function that charging uses. */
export class Estimates {
  constructor(private readonly prices: PriceBook) {}

  /**
   * Estimates a month by the usage card for accounts created now.
   * @throws {CatalogUnavailable} @throws {VersionSuperseded} @throws {InvalidRequest} with every fault of the usage.
   */
  async estimate({ usage, trial = false, version }: EstimateRequest): Promise<Estimate> {
    const { statement } = await this.prices.current();
    if (version !== undefined && version !== statement.version) throw new VersionSuperseded(statement.version);
    const faults = usageFaults(usage, statement.usage);
    if (faults.length > 0) {
      const fields = faults.map(({ field, reason }) => ({ field: field ? `usage.${field}` : 'usage', reason }));
      throw new InvalidRequest('The request body has invalid fields.', fields);
    }
    return estimateOf(rate(usage, statement.usage, trial ? { coveredCents: 0n } : undefined), statement.version);
  }
}
