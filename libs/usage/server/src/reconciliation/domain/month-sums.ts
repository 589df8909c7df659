import { centsToUsd, parseDecimal } from '@homeport/pricing/contracts';
import type { ChargedMonth } from '@homeport/usage/contracts';

const CENT_PLACES = 2;

/** Adds up the charges of a month and what usage × prices gives. Amounts are in cents. */
export class MonthSums {
  #accounts = 0;
  #charged = 0n;
  #corrections = 0;
  #corrected = 0n;
  #rated = 0n;

  addCharge({ total_usd, corrected_total_usd, corrections }: ChargedMonth): void {
    this.#accounts += 1;
    this.#charged += parseDecimal(total_usd, CENT_PLACES);
    this.#corrections += corrections.length;
    this.#corrected += parseDecimal(corrected_total_usd, CENT_PLACES);
  }

  addRating(cents: bigint): void {
    this.#rated += cents;
  }

  /** One or two sentences. */
  describe(): string {
    const [charged, rated] = [centsToUsd(this.#charged), centsToUsd(this.#rated)];
    const sums = `${this.#accounts} accounts are charged ${charged} USD. Usage × prices gives ${rated} USD.`;
    if (this.#corrections === 0) return sums;
    return `${sums} With ${this.#corrections} corrections it is ${centsToUsd(this.#corrected)} USD.`;
  }
}
