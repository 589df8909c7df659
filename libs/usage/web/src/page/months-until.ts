import { BillingPeriod } from '@homeport/usage/contracts';

const MAX_MONTHS = 24;

/** @returns the name, or undefined when it is no month before the current one. */
export function pastMonth(name: string, current: string): string | undefined {
  return BillingPeriod.parse(name) && name < current ? name : undefined;
}

/**
 * The months that can be chosen, newest first: from the current one back to that of the account.
 * @param createdAt RFC 3339; undefined while it is not known.
 * @param shown offered too, when the account is younger.
 */
export function monthsUntil(current: string, createdAt: string | undefined, shown: string): readonly string[] {
  const first = createdAt === undefined ? current : BillingPeriod.containing(new Date(createdAt)).name;
  const months: string[] = [];
  for (
    let month = BillingPeriod.parse(current);
    month && month.name >= first && months.length < MAX_MONTHS;
    month = month.previous()
  ) {
    months.push(month.name);
  }
  return months.includes(shown) ? months : [...months, shown].toSorted().toReversed();
}
