import type { Member } from '@homeport/identity/contracts';
import type { ReportedUsage } from '@homeport/usage/contracts';
import type { Accounts } from '../../months/application/accounts';
import { parseReportedEvents } from '../domain/reported-events';
import { UsageEventsInvalid } from '../domain/usage.errors';
import type { UsageStore } from './usage-store.port';

/** Stores the usage that products report for their organization. */
export class ReportUsage {
  constructor(
    private readonly store: UsageStore,
    private readonly accounts: Accounts,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * Stores all events or none.
   * @param body a batch of CloudEvents.
   * @throws {UsageEventsInvalid} @throws {DatabaseUnavailable} @throws {CatalogUnavailable}
   */
  async execute({ organization }: Member, body: unknown): Promise<ReportedUsage> {
    const { itemIds } = await this.accounts.getOrCreate(organization);
    const result = parseReportedEvents(body, { organization, items: itemIds, now: this.now() });
    if ('faults' in result) throw new UsageEventsInvalid(result.faults);
    const accepted = await this.store.record(result.events);
    return { accepted, duplicates: result.events.length - accepted };
  }
}
