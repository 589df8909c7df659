import { AppQuotaExceeded } from './apps.errors';

/**
 * PostgreSQL allows 100 connections unless it is configured otherwise. With more concurrent registrations than this, over
 * all instances, an organization could exceed its quota.
 */
const MAX_CONCURRENT_REGISTRATIONS = 200;

/** How many apps an organization may have. */
export class AppQuota {
  constructor(readonly maxApps: number) {}

  /**
   * Whether concurrent registrations could exceed the quota together, so that they must run one after the other.
   * @param count the organization's apps.
   */
  isNear(count: number): boolean {
    return count >= this.maxApps - MAX_CONCURRENT_REGISTRATIONS;
  }

  /** @param count the organization's apps. @throws {AppQuotaExceeded} when the organization may not have another. */
  assertBelow(count: number): void {
    if (count >= this.maxApps) throw new AppQuotaExceeded(this.maxApps);
  }
}
