/** Three years of usage, generated: instants in milliseconds, quantities in 10⁻⁶. */
import fc from 'fast-check';
import { cardAt, itemIds, monthOf, trialEnd } from './expected-charges';

export const START = Date.parse('2026-10-20T12:30:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEARS_DAYS = 3 * 365 + 1;
const END = START + YEARS_DAYS * DAY;
/** Late usage has arrived, and its month is closed. */
const LAST_MONTH = END + 170 * DAY;
/** The delay of a closing. */
const MAX_DELAY = 45 * DAY;
/** An item that is on no card. */
const UNKNOWN = 'review';
const MEASURED = ['gateway-call', 'storage', 'secret', 'standard', 'premium'];

export interface PlannedAccount {
  readonly organization: string;
  readonly createdAt: number;
}

/** An event that a product reports at several times; a batch of calls and hourly levels are delivered the same way. */
export interface PlannedUse {
  readonly kind: 'event' | 'batch' | 'level';
  readonly organization: string;
  readonly item: string;
  readonly at: number;
  /** For a level: how many hours it holds. */
  readonly hours: number;
  readonly quantity: bigint;
  /** When it is sent, first to last. */
  readonly sentAt: readonly number[];
}

/** Two instances close months at once. A number is the call at which an instance is killed: even before, odd after it. */
export interface PlannedClosing {
  readonly at: number;
  readonly kills: readonly (readonly [number, number])[];
  /** The organization and month that cannot be charged at this time. */
  readonly refused: { readonly organization: string; readonly monthsBefore: number } | undefined;
}

export interface Plan {
  readonly accounts: readonly PlannedAccount[];
  readonly uses: readonly PlannedUse[];
  readonly closings: readonly PlannedClosing[];
}

/** Instants at which an account is created: around new cards, ends of months and the leap day, or at any time. */
const creation = fc.oneof(
  fc
    .constantFrom(
      ...['2026-09-30T23:59:59.999Z', '2027-01-31T23:59:59.999Z', '2027-02-28T23:59:59.999Z', '2027-03-01T00:00:00Z'],
      ...['2028-02-01T00:00:00Z', '2028-02-29T11:59:59.999Z', '2028-02-29T12:00:00Z', '2028-02-29T23:30:00Z'],
    )
    .map((instant) => Date.parse(instant)),
  fc.nat(YEARS_DAYS * 24 * 60).map((minutes) => START + minutes * MINUTE),
);

const quantity = fc.oneof(
  fc.bigInt(0n, 50_000n).map((units) => units * 1_000_000n),
  // Half a cent of most prices.
  fc.bigInt(0n, 2_000n).map((halves) => halves * 250_000n),
  fc.bigInt(0n, 5_000_000_000n),
);

/** A time of use relative to an account: any, around an end of a month, or around the end of the trial. */
const moment = fc.oneof(
  { weight: 3, arbitrary: fc.record({ days: fc.nat(YEARS_DAYS), ms: fc.nat(DAY) }) },
  fc.record({ month: fc.nat(37), ms: fc.integer({ min: -1, max: 1 }) }),
  fc.record({ trial: fc.integer({ min: -40, max: 40 }), ms: fc.integer({ min: -1, max: 1 }) }),
);
type Moment = typeof moment extends fc.Arbitrary<infer Value> ? Value : never;

const use = fc.record({
  kind: fc.constantFrom('event', 'event', 'event', 'batch', 'level'),
  account: fc.nat(1_000),
  item: fc.nat(1_000),
  moment,
  quantity,
  hours: fc.integer({ min: 1, max: 40 }),
  delay: fc.oneof(fc.constant(0), fc.nat(3 * DAY), fc.nat(61 * DAY), fc.nat(70 * DAY)),
  repeats: fc.array(fc.nat(65 * DAY), { maxLength: 2 }),
});
type GeneratedUse = typeof use extends fc.Arbitrary<infer Value> ? Value : never;

const closing = fc.record({
  delay: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20 * DAY), fc.nat(MAX_DELAY)),
  kills: fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 2 }),
  refused: fc.option(fc.record({ account: fc.nat(1_000), monthsBefore: fc.nat(2) })),
});
type GeneratedClosing = typeof closing extends fc.Arbitrary<infer Value> ? Value : never;

/** @param accounts besides the first one. @param uses how many uses a plan has at most. */
export function plans({ accounts, uses }: { readonly accounts: number; readonly uses: number }): fc.Arbitrary<Plan> {
  return fc
    .record({
      created: fc.array(creation, { minLength: accounts, maxLength: accounts }),
      used: fc.array(use, { minLength: uses / 2, maxLength: uses }),
      closed: fc.array(closing, { minLength: 45, maxLength: 45 }),
    })
    .map(({ created, used, closed }) => {
      const planned = [START, ...created].map((createdAt, n) => ({ organization: `org-${n}`, createdAt }));
      return {
        accounts: planned,
        // Months are closed from the first use on.
        uses: [firstUse(), ...used.map((each) => plannedUse(each, planned))],
        closings: closingsOf(closed, planned),
      };
    });
}

function firstUse(): PlannedUse {
  const of = { organization: 'org-0', item: 'gateway-call' };
  return { kind: 'batch', ...of, at: START, hours: 1, quantity: 1_000_000n, sentAt: [START] };
}

function plannedUse(
  { kind, account, item, moment: when, hours, quantity: used, delay, repeats }: GeneratedUse,
  accounts: readonly PlannedAccount[],
): PlannedUse {
  const { organization, createdAt } = pick(accounts, account);
  const at = instantOf(when, createdAt);
  const ended = kind === 'level' ? at + hours * HOUR : at;
  const first = Math.max(ended + delay, createdAt, START);
  const id = pick(itemsFor(kind, createdAt), item);
  return {
    ...{ kind: kind as PlannedUse['kind'], organization, item: id, at, hours },
    // Storage is recorded in bytes, also in ones that are no whole GB.
    quantity: id === 'storage' ? used * 1_000_000_007n : used,
    sentAt: [first, ...repeats.map((later) => first + later).toSorted((one, other) => one - other)],
  };
}

/** Products also report an item that is on no card, which is rejected. */
function itemsFor(kind: string, createdAt: number): readonly string[] {
  if (kind === 'batch') return ['gateway-call'];
  if (kind === 'level') return MEASURED.slice(1);
  const card = cardAt(createdAt);
  return [UNKNOWN, ...(card ? itemIds(card).filter((id) => !MEASURED.includes(id)) : [])];
}

function instantOf(when: Moment, createdAt: number): number {
  const earliest = Math.max(createdAt, START) - 50 * DAY;
  return Math.min(Math.max(momentOf(when, createdAt), earliest), END);
}

function momentOf(when: Moment, createdAt: number): number {
  if ('days' in when) return START + when.days * DAY + when.ms;
  if ('month' in when) return Date.UTC(2026, 10 + when.month) + when.ms;
  const card = cardAt(createdAt);
  return (card ? trialEnd(createdAt, card) : createdAt) + when.trial * HOUR + when.ms;
}

function closingsOf(closed: readonly GeneratedClosing[], accounts: readonly PlannedAccount[]): PlannedClosing[] {
  const closings: PlannedClosing[] = [];
  for (let month = monthOf(START), n = 0; month.end + DAY < LAST_MONTH; month = monthOf(month.end), n += 1) {
    const { delay, kills, refused } = closed[n] as GeneratedClosing;
    closings.push({
      at: month.end + DAY + delay,
      kills,
      refused: refused
        ? { organization: pick(accounts, refused.account).organization, monthsBefore: refused.monthsBefore }
        : undefined,
    });
  }
  // After all others, because one of them may refuse a month.
  closings.push({ at: LAST_MONTH + MAX_DELAY, kills: [], refused: undefined });
  return closings.toSorted((one, other) => one.at - other.at);
}

function pick<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value;
}
