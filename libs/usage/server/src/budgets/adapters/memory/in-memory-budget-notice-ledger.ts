import { randomUUID } from 'node:crypto';
import {
  type BudgetNotice,
  BudgetNoticeLedger,
  type LeasedNotice,
  type NewBudgetNotice,
} from '../../application/budget-notice-ledger.port';

interface Entry {
  readonly notice: BudgetNotice;
  attempts: number;
  /** Undefined for a notice that was sent or given up. */
  dueAt: number | undefined;
}

/** Keeps notices in memory, for tests. */
export class InMemoryBudgetNoticeLedger extends BudgetNoticeLedger {
  readonly #entries = new Map<string, Entry>();

  /** @param now the time in milliseconds. */
  constructor(private readonly now: () => number = () => performance.now()) {
    super();
  }

  async add(notices: readonly NewBudgetNotice[]): Promise<void> {
    for (const notice of notices) {
      const { organization, period, budgetUsd, percent } = notice;
      const key = [organization, period, budgetUsd, percent].join('\n');
      if (this.#entries.has(key)) continue;
      const added = { ...notice, id: randomUUID(), reachedAt: new Date() };
      this.#entries.set(key, { notice: added, attempts: 0, dueAt: this.now() });
    }
  }

  async lease(seconds: number): Promise<LeasedNotice | undefined> {
    const now = this.now();
    const due = [...this.#entries.values()].filter(({ dueAt }) => dueAt !== undefined && dueAt <= now);
    const [entry] = due.sort((one, other) => (one.dueAt as number) - (other.dueAt as number));
    if (!entry) return undefined;
    entry.attempts += 1;
    entry.dueAt = now + seconds * 1_000;
    return { notice: entry.notice, attempt: entry.attempts };
  }

  async markSent(id: string): Promise<void> {
    this.#entry(id).dueAt = undefined;
  }

  async postpone(id: string, seconds: number | undefined): Promise<void> {
    this.#entry(id).dueAt = seconds === undefined ? undefined : this.now() + seconds * 1_000;
  }

  async removeBefore(period: string): Promise<void> {
    for (const [key, { notice }] of this.#entries) if (notice.period < period) this.#entries.delete(key);
  }

  #entry(id: string): Entry {
    return [...this.#entries.values()].find(({ notice }) => notice.id === id) as Entry;
  }
}
