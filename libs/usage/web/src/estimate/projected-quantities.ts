import { formatDecimal, parseDecimal, QUANTITY_PLACES } from '@homeport/pricing/contracts';
import { BillingPeriod, type UsageMonth } from '@homeport/usage/contracts';

/** Rates of shorter times say too little about a month. */
const MIN_ELAPSED_MS = 3_600_000;
const UNIT = 10n ** BigInt(QUANTITY_PLACES);

/**
 * The quantities at the end of a month if usage continues at its average rate since the month or the account began.
 * Whole units from ten on: an estimate is not more exact.
 */
export function projectedQuantities({ period, as_of, account, lines }: UsageMonth): ReadonlyMap<string, string> {
  const month = BillingPeriod.parse(period);
  if (!month) return new Map();
  const start = Math.max(month.start.getTime(), Date.parse(account.created_at));
  const elapsed = BigInt(Math.max(Date.parse(as_of) - start, MIN_ELAPSED_MS));
  const whole = BigInt(month.end.getTime() - start);
  const sums = new Map<string, bigint>();
  for (const { item, quantity } of lines) {
    sums.set(item, (sums.get(item) ?? 0n) + parseDecimal(quantity, QUANTITY_PLACES));
  }
  return new Map(
    [...sums].map(([item, sum]) => {
      const projected = (sum * whole) / elapsed;
      const shown = projected < 10n * UNIT ? projected : (projected / UNIT) * UNIT;
      return [item, formatDecimal(shown, QUANTITY_PLACES)] as const;
    }),
  );
}
