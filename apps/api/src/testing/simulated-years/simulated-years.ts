import { InMemoryAccountRepository } from '@homeport/organizations/server';
import { Charging, PriceBook } from '@homeport/pricing/server';
import { InMemoryChargeLedger } from '@homeport/pricing/server/testing';
import type { ChargedMonth, UsageMonth } from '@homeport/usage/contracts';
import type { MonthToCharge } from '@homeport/usage/server';
import { UsageInMemory } from '@homeport/usage/server/testing';
import { PricingChargeBook } from '../../usage/pricing-charge-book';
import { PublishedPriceList } from '../../usage/published-price-list';
import { publishedPrices } from './cards';
import { type AcceptedUse, monthOf } from './expected-charges';
import { failingPorts } from './failing-ports';
import { type Plan, type PlannedClosing, type PlannedUse, START } from './plan';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** What happened when a plan ran on the product in memory. */
export interface History {
  /** Each use once. */
  readonly accepted: readonly AcceptedUse[];
  /** The charges of each organization, oldest first. */
  readonly charges: ReadonlyMap<string, readonly ChargedMonth[]>;
  /** The pages of each month just before it was to be charged and just after, by organization and period. */
  readonly pages: ReadonlyMap<string, readonly UsageMonth[]>;
}

interface Step {
  readonly at: number;
  readonly run: () => Promise<void>;
}

/** Runs a plan with the adapters in memory. */
export async function simulate(plan: Plan): Promise<History> {
  return new SimulatedYears(plan).run();
}

class SimulatedYears {
  readonly #accepted: AcceptedUse[] = [];
  readonly #batches = new Set<string>();
  readonly #levels = new Set<string>();
  readonly #pages = new Map<string, UsageMonth[]>();
  #now = START;
  #firstDue = monthOf(START);

  constructor(private readonly plan: Plan) {}

  async run(): Promise<History> {
    const now = () => new Date(this.#now);
    const revisions = await publishedPrices(now);
    const prices = new PriceBook(revisions, () => this.#now);
    const charges = new PricingChargeBook(new Charging(prices, revisions, new InMemoryChargeLedger()));
    const accounts = new InMemoryAccountRepository(now);
    const usage = new UsageInMemory({ accounts, prices: new PublishedPriceList(prices), charges, now });
    const steps: Step[] = [
      ...this.plan.accounts.map(({ organization, createdAt }) => ({
        at: createdAt,
        run: async () => void (await accounts.add(organization)),
      })),
      ...this.plan.closings.map((closing) => ({ at: closing.at, run: () => this.#close(closing, usage) })),
      ...this.plan.uses.flatMap((use, n) =>
        use.sentAt.map((at) => ({ at, run: () => this.#send(use, { id: String(n), usage }) })),
      ),
    ];
    for (const { at, run } of steps.toSorted((one, other) => one.at - other.at)) {
      this.#now = at;
      await run();
    }
    const listed = this.plan.accounts.map(
      async ({ organization }) => [organization, (await charges.list(organization)).toReversed()] as const,
    );
    return { accepted: this.#accepted, charges: new Map(await Promise.all(listed)), pages: this.#pages };
  }

  async #close({ kills, refused }: PlannedClosing, usage: UsageInMemory): Promise<void> {
    const due = this.#dueMonths();
    await this.#readPages(due, usage);
    const refusedMonth = due.at(-1 - (refused?.monthsBefore ?? 0));
    const refuses = ({ account, period }: MonthToCharge) =>
      account.organization === refused?.organization && period === refusedMonth;
    for (const instances of kills) {
      await Promise.allSettled(instances.map((killedAt) => usage.close(failingPorts({ killedAt, refuses }))));
    }
    const closed = usage.close(failingPorts({ refuses }));
    await (refused ? closed.catch(() => undefined) : closed);
    await usage.removeExpired();
    await this.#readPages(due, usage);
  }

  /** The months that ended 24 hours before, and were not due before. */
  #dueMonths(): string[] {
    const due: string[] = [];
    for (; this.#firstDue.end + DAY <= this.#now; this.#firstDue = monthOf(this.#firstDue.end)) {
      due.push(new Date(this.#firstDue.start).toISOString().slice(0, 7));
    }
    return due;
  }

  async #readPages(periods: readonly string[], usage: UsageInMemory): Promise<void> {
    for (const { organization, createdAt } of this.plan.accounts.filter((each) => each.createdAt <= this.#now)) {
      for (const period of periods.filter((each) => each >= new Date(createdAt).toISOString().slice(0, 7))) {
        const key = `${organization} ${period}`;
        this.#pages.set(key, [...(this.#pages.get(key) ?? []), await usage.read(organization, period)]);
      }
    }
  }

  async #send(use: PlannedUse, { id, usage }: { readonly id: string; readonly usage: UsageInMemory }): Promise<void> {
    if (use.kind === 'event') await this.#report(use, id, usage);
    else if (use.kind === 'batch') await this.#deliver(use, id, usage);
    else await this.#measure(use, usage);
  }

  /** A product that gets no answer sends the event twice in a batch. */
  async #report(use: PlannedUse, id: string, usage: UsageInMemory): Promise<void> {
    const { organization, item, quantity, at } = use;
    const event = {
      ...{ specversion: '1.0', type: 'homeport.usage', source: 'https://product.example.com', id },
      ...{ subject: organization, time: new Date(at).toISOString(), data: { item, quantity: decimal(quantity) } },
    };
    const answer = await usage.report(organization, [event, event]).catch(() => undefined);
    for (let n = 0; n < (answer?.accepted ?? 0); n += 1) this.#accept(use, at);
  }

  async #deliver(use: PlannedUse, id: string, { store }: UsageInMemory): Promise<void> {
    const { organization, item, quantity, at } = use;
    const name = `api-${id.padStart(12, '0')}`;
    await store.recordBatches([{ name, uses: [{ organization, item, hour: hourOf(at), quantity }] }]);
    if (!this.#batches.has(name)) this.#accept(use, at);
    this.#batches.add(name);
  }

  /** A level that is measured again, with another result, does not count. */
  async #measure(use: PlannedUse, { store }: UsageInMemory): Promise<void> {
    const { organization, item, at, hours, quantity, sentAt } = use;
    for (let n = 0; n < hours; n += 1) {
      const hour = hourOf(at + n * HOUR);
      const level = quantity + BigInt(this.#now - (sentAt[0] as number));
      await store.recordLevels([{ organization, item, hour, level }]);
      const key = `${organization} ${item} ${hour.getTime()}`;
      if (!this.#levels.has(key)) this.#accept({ ...use, quantity: level }, hour.getTime());
      this.#levels.add(key);
    }
  }

  #accept({ organization, item, quantity }: PlannedUse, at: number): void {
    this.#accepted.push({ organization, item, quantity, at, arrivedAt: this.#now });
  }
}

function hourOf(instant: number): Date {
  return new Date(Math.floor(instant / HOUR) * HOUR);
}

/** Millionths as a decimal. */
function decimal(quantity: bigint): string {
  const digits = String(quantity).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
}
