import { BillingPeriod } from '@homeport/usage/contracts';

/** Recorded quantities in 10⁻⁶ recorded units; of a level, summed over the hours. */
export interface RecordedPart {
  readonly total: bigint;
  /** The part of the total that was used in an earlier month and recorded after its close. */
  readonly late: bigint;
}

/** The recorded usage of an item in a month. */
export interface RecordedUsage {
  readonly organization: string;
  readonly item: string;
  readonly inTrial: RecordedPart;
  readonly afterTrial: RecordedPart;
}

export function hasTrialUsage(recorded: readonly RecordedUsage[]): boolean {
  return recorded.some(({ inTrial }) => inTrial.total > 0n);
}

/**
 * The stored months that count in a month of an account: the month, and in the first one all before it, because usage
 * can be reported for a time before the account was created.
 * @returns the first and the last name; undefined for a month before the account.
 */
export function countedMonths(
  createdAt: Date,
  { name }: BillingPeriod,
): { readonly first: string; readonly last: string } | undefined {
  const created = BillingPeriod.containing(createdAt).name;
  if (name < created) return undefined;
  return { first: name === created ? '' : name, last: name };
}
