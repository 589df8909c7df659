import { formatDecimal, parseDecimal, QUANTITY_PLACES } from '@homeport/pricing/contracts';
import { BillingPeriod, type UsageMonth } from '@homeport/usage/contracts';

const HOUR_MS = 3_600_000;
/** Rates of shorter times say too little about a month. */
const MIN_ELAPSED_MS = HOUR_MS;
const UNIT = 10n ** BigInt(QUANTITY_PLACES);

interface Sum {
  readonly used: bigint;
  /** The part of earlier months, which says nothing about the rate of this one. */
  readonly late: bigint;
}

/**
 * The quantities at the end of a month if usage continues at its average rate since the month or the account began, by
 * the rule of the projected total of the month. Whole units from ten on: an estimate is not more exact.
 */
export function projectedQuantities({ period, as_of, account, lines }: UsageMonth): ReadonlyMap<string, string> {
  const month = BillingPeriod.parse(period);
  if (!month) return new Map();
  const created = Math.floor(Date.parse(account.created_at) / HOUR_MS) * HOUR_MS;
  const start = Math.max(month.start.getTime(), created);
  const end = month.end.getTime();
  const at = Math.min(Math.max(Date.parse(as_of), start), end);
  const elapsed = BigInt(Math.max(at - start, MIN_ELAPSED_MS));
  const rest = BigInt(end - at);
  return new Map(
    [...sumsOf(lines)].map(([item, { used, late }]) => {
      const projected = used + ((used - late) * rest) / elapsed;
      const shown = projected < 10n * UNIT ? projected : (projected / UNIT) * UNIT;
      return [item, formatDecimal(shown, QUANTITY_PLACES)] as const;
    }),
  );
}

/** Adds the parts of each item in and after the trial. */
function sumsOf(lines: UsageMonth['lines']): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { item, quantity, late_quantity } of lines) {
    const { used, late } = sums.get(item) ?? { used: 0n, late: 0n };
    sums.set(item, {
      used: used + parseDecimal(quantity, QUANTITY_PLACES),
      late: late + parseDecimal(late_quantity, QUANTITY_PLACES),
    });
  }
  return sums;
}
