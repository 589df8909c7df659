import { parseDecimal } from '@homeport/pricing/contracts';

const CENT_PLACES = 2;

/** Cents of an amount of the API, such as "12.5". */
export function centsOf(amountUsd: string): bigint {
  return parseDecimal(amountUsd, CENT_PLACES);
}
