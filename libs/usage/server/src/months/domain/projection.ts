import type { BillingPeriod } from '@homeport/usage/contracts';
import { hourOf } from '../../metering/domain/usage-event';
import type { BilledAccount } from './billed-account';
import type { BilledQuantity } from './month-usage';

/** Rates of shorter times say too little about a month. */
const MIN_ELAPSED_MS = 3_600_000;

/** The quantities of a month. */
export interface MeasuredQuantities {
  readonly total: readonly BilledQuantity[];
  /** The parts that were used in earlier months, which say nothing about the rate of this one. */
  readonly late: readonly BilledQuantity[];
}

/** Projects quantities to the end of the month at their average rate in the month, and splits the rest at the trial's end. */
export function projected(
  { total, late }: MeasuredQuantities,
  { createdAt, trialEndsAt }: Pick<BilledAccount, 'createdAt' | 'trialEndsAt'>,
  { period, now }: { readonly period: BillingPeriod; readonly now: Date },
): BilledQuantity[] {
  const start = Math.max(period.start.getTime(), hourOf(createdAt).getTime());
  const end = period.end.getTime();
  const at = Math.min(Math.max(now.getTime(), start), end);
  const elapsed = BigInt(Math.max(at - start, MIN_ELAPSED_MS));
  const restInTrial = BigInt(Math.min(Math.max(trialEndsAt.getTime() - at, 0), end - at));
  const restAfterTrial = BigInt(end - at) - restInTrial;
  return total.map(({ item, inTrial, afterTrial }) => {
    const before = late.find((quantity) => quantity.item === item);
    const used = inTrial + afterTrial - (before ? before.inTrial + before.afterTrial : 0n);
    return {
      item,
      inTrial: inTrial + (used * restInTrial) / elapsed,
      afterTrial: afterTrial + (used * restAfterTrial) / elapsed,
    };
  });
}
