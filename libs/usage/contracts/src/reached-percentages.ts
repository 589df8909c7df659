import { parseDecimal } from '@homeport/pricing/contracts';
import type { Budget } from './budget';

const CENT_PLACES = 2;

/** The percentages for notices that a month has reached, in ascending order; empty without a budget. */
export function reachedPercentages({ monthly_usd, notify_at }: Budget, totalUsd: string): readonly number[] {
  if (monthly_usd === null) return [];
  const [budget, total] = [parseDecimal(monthly_usd, CENT_PLACES), parseDecimal(totalUsd, CENT_PLACES)];
  return notify_at.filter((percent) => total * 100n >= budget * BigInt(percent));
}
