import { PRICE_PLACES, quantityOf, parseDecimal } from '@homeport/pricing/contracts';

const STEPS = [1, 2, 5] as const;
const DECADES = 12;
/** What a slider is for, as an amount of USD in 10⁻⁹: from a cent to ten thousand dollars. */
const [LEAST, MOST] = [parseDecimal('0.01', PRICE_PLACES), parseDecimal('10000', PRICE_PLACES)];
/** For what costs nothing, or so much that one is too much already. */
const PLAIN_MOST = 1000;

/** The quantities a slider can stand at: 0, then steps of 1, 2 and 5 over every amount that people ask for. */
export function scaleFor(unitUsd: number): readonly number[] {
  const price = parseDecimal(unitUsd, PRICE_PLACES);
  const steps = Array.from({ length: DECADES }, (_, zeros) => STEPS.map((step) => step * 10 ** zeros)).flat();
  const useful = steps.filter((step) => {
    const amount = BigInt(step) * price;
    return amount >= LEAST && amount <= MOST;
  });
  return [0, ...(useful.length > 2 ? useful : steps.filter((step) => step <= PLAIN_MOST))];
}

/** Where a quantity is on a scale: at the last step that is not more. What is no quantity is at the beginning. */
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
