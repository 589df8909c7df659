import { PRICE_PLACES, quantityOf, parseDecimal } from '@homeport/pricing/contracts';

const STEPS = [1, 2, 5] as const;
const DECADES = 12;
/** The cost range of a slider in 10⁻⁹ USD: from one cent to ten thousand dollars. */
const [LEAST, MOST] = [parseDecimal('0.01', PRICE_PLACES), parseDecimal('10000', PRICE_PLACES)];
/** Largest quantity for prices whose costs are outside the range, such as 0. */
const PLAIN_MOST = 1000;

/** The quantities of a slider: 0, then steps of 1, 2 and 5 whose cost is in the range. */
export function scaleFor(unitUsd: number): readonly number[] {
  const price = parseDecimal(unitUsd, PRICE_PLACES);
  const steps = Array.from({ length: DECADES }, (_, zeros) => STEPS.map((step) => step * 10 ** zeros)).flat();
  const useful = steps.filter((step) => {
    const amount = BigInt(step) * price;
    return amount >= LEAST && amount <= MOST;
  });
  return [0, ...(useful.length > 2 ? useful : steps.filter((step) => step <= PLAIN_MOST))];
}

/** The index of the largest step up to a quantity; 0 for an invalid quantity. */
export function positionOf(quantity: string, scale: readonly number[]): number {
  let value: bigint;
  try {
    value = quantityOf(quantity);
  } catch {
    return 0;
  }
  return Math.max(
    0,
    scale.findLastIndex((step) => quantityOf(step) <= value),
  );
}
