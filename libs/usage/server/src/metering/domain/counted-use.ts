import type { UsageEvent } from './usage-event';

/** Uses of an item that a program of Homeport counted in one hour. */
export interface CountedUse {
  readonly organization: string;
  readonly item: string;
  /** The start of the hour. */
  readonly hour: Date;
  /** In 10⁻⁶ recorded units of the item. */
  readonly quantity: bigint;
}

/** Uses that a process counted in about a second. The name identifies the batch: a batch counts once. */
export interface UsageBatch {
  readonly name: string;
  readonly uses: readonly CountedUse[];
  /** Only in a batch of the previous version, which has no uses: its events count once by their ids. */
  readonly events?: readonly UsageEvent[];
}

/** The digits of the number of a batch, so that names sort in the order of the batches. */
const NUMBER_DIGITS = 12;
const NAME = /^(.+)-(\d{12})$/;

/** @param number of the batch in its process, from 0. */
export function batchName(process: string, number: number): string {
  return `${process}-${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** @throws {Error} for a name that `batchName` does not return. */
export function parseBatchName(name: string): { readonly process: string; readonly number: number } {
  const [, process, number] = NAME.exec(name) ?? [];
  if (process === undefined) throw new Error(`${name} is not the name of a batch of usage`);
  return { process, number: Number(number) };
}

/** Adds up the uses of batches by organization, item and hour. */
export function sumOfUses(batches: readonly UsageBatch[]): CountedUse[] {
  const sums = new Map<string, CountedUse>();
  for (const use of batches.flatMap(({ uses }) => uses)) {
    const key = JSON.stringify([use.organization, use.item, use.hour]);
    sums.set(key, { ...use, quantity: (sums.get(key)?.quantity ?? 0n) + use.quantity });
  }
  return [...sums.values()];
}
