import { BillingPeriod } from '@homeport/usage/contracts';
import { type RecordedDay, type UsageAccount, UsageStore } from '../../application/usage-store.port';
import { parseBatchName, type UsageBatch } from '../../domain/counted-use';
import { countedMonths, type RecordedPart, type RecordedUsage } from '../../domain/recorded-usage';
import { type HourlyLevel, hourOf, type UsageEvent } from '../../domain/usage-event';

interface Hour {
  readonly organization: string;
  readonly period: string;
  readonly item: string;
  readonly hour: Date;
  quantity: bigint;
}

/** Keeps usage in memory, for tests and experiments. */
export class InMemoryUsageStore extends UsageStore {
  /** The times of events by their identity. */
  readonly #events = new Map<string, Date>();
  readonly #batches = new Set<string>();
  readonly #hours = new Map<string, Hour>();
  readonly #measured = new Map<string, Date>();
  #firstClosed: BillingPeriod | undefined;
  #lastClosed: BillingPeriod | undefined;

  async record(events: readonly UsageEvent[]): Promise<number> {
    let accepted = 0;
    for (const { organization, source, id, item, quantity, at } of events) {
      const key = JSON.stringify([organization, source, id]);
      if (this.#events.has(key)) continue;
      this.#events.set(key, at);
      accepted += 1;
      this.#hourOf(organization, item, hourOf(at)).quantity += quantity;
    }
    return accepted;
  }

  async recordBatches(batches: readonly UsageBatch[]): Promise<void> {
    for (const { name, uses } of batches) {
      parseBatchName(name);
      if (this.#batches.has(name)) continue;
      this.#batches.add(name);
      for (const { organization, item, hour, quantity } of uses) {
        this.#hourOf(organization, item, hour).quantity += quantity;
      }
    }
  }

  async removeEvents(before: Date, limit: number): Promise<number> {
    const expired = [...this.#events].filter(([, at]) => at < before).slice(0, limit);
    for (const [key] of expired) this.#events.delete(key);
    return expired.length;
  }

  /** Keeps all batches: the memory ends before they expire. */
  async removeDeliveries(): Promise<void> {
    return Promise.resolve();
  }

  async recordLevels(levels: readonly HourlyLevel[]): Promise<void> {
    for (const { organization, item, hour, level } of levels) {
      const isKnown = [...this.#hours.values()].some(
        (each) => each.organization === organization && each.item === item && each.hour.getTime() === hour.getTime(),
      );
      if (!isKnown) this.#hourOf(organization, item, hour).quantity = level;
    }
  }

  #hourOf(organization: string, item: string, hour: Date): Hour {
    const period = this.#openPeriodOf(hour);
    const key = JSON.stringify([organization, period, item, hour]);
    const found = this.#hours.get(key) ?? { organization, period, item, hour, quantity: 0n };
    this.#hours.set(key, found);
    return found;
  }

  #openPeriodOf(hour: Date): string {
    const { name } = BillingPeriod.containing(hour);
    const firstOpen = this.#lastClosed?.next().name ?? name;
    return name < firstOpen ? firstOpen : name;
  }

  async levelsIn(item: string, hour: Date): Promise<ReadonlyMap<string, bigint>> {
    const found = [...this.#hours.values()].filter(
      (each) => each.item === item && each.hour.getTime() === hour.getTime(),
    );
    return new Map(found.map(({ organization, quantity }) => [organization, quantity]));
  }

  async lastMeasuredHour(item: string): Promise<Date | undefined> {
    return this.#measured.get(item);
  }

  async noteMeasuredHour(item: string, hour: Date): Promise<void> {
    const noted = this.#measured.get(item);
    if (!noted || noted < hour) this.#measured.set(item, hour);
  }

  async usageOf(accounts: readonly UsageAccount[], period: BillingPeriod): Promise<readonly RecordedUsage[]> {
    return accounts.flatMap((account) => {
      const { organization, trialEndsAt } = account;
      const hours = this.#hoursOf(account, period);
      return [...Map.groupBy(hours, ({ item }) => item)].map(([item, used]) => ({
        ...{ organization, item },
        inTrial: partOf(
          used.filter(({ hour }) => hour < trialEndsAt),
          period,
        ),
        afterTrial: partOf(
          used.filter(({ hour }) => hour >= trialEndsAt),
          period,
        ),
      }));
    });
  }

  async daysOf(account: UsageAccount, period: BillingPeriod, item: string): Promise<readonly RecordedDay[]> {
    const hours = this.#hoursOf(account, period).filter((each) => each.item === item);
    const days = Map.groupBy(hours, ({ hour }) => hour.toISOString().slice(0, 10));
    return [...days]
      .map(([day, used]) => ({ day, recorded: sum(used) }))
      .sort((one, other) => (one.day < other.day ? -1 : 1));
  }

  #hoursOf({ organization, createdAt }: UsageAccount, period: BillingPeriod): Hour[] {
    const counted = countedMonths(createdAt, period);
    if (!counted) return [];
    return [...this.#hours.values()].filter(
      (each) => each.organization === organization && each.period >= counted.first && each.period <= counted.last,
    );
  }

  async close(period: BillingPeriod): Promise<void> {
    this.#firstClosed ??= period;
    if (!this.#lastClosed || this.#lastClosed.name < period.name) this.#lastClosed = period;
  }

  async firstClosed(): Promise<BillingPeriod | undefined> {
    return this.#firstClosed;
  }

  async lastClosed(): Promise<BillingPeriod | undefined> {
    return this.#lastClosed;
  }

  async firstMonth(): Promise<BillingPeriod | undefined> {
    const hours = [...this.#hours.values()].map(({ hour }) => hour.getTime());
    return hours.length === 0 ? undefined : BillingPeriod.containing(new Date(Math.min(...hours)));
  }
}

function partOf(hours: readonly Hour[], period: BillingPeriod): RecordedPart {
  return { total: sum(hours), late: sum(hours.filter(({ hour }) => hour < period.start)) };
}

function sum(hours: readonly Hour[]): bigint {
  return hours.reduce((total, { quantity }) => total + quantity, 0n);
}
