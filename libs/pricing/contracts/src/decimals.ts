/**
 * Exact decimals as whole numbers of their smallest part. JSON numbers of prices are exact, because a catalog's amounts
 * have at most 15 significant digits: the shortest text of such a number is the very decimal that was written.
 */

/** Places of a unit price: 10⁻⁹ USD. */
export const PRICE_PLACES = 9;
/** Places of a quantity: 10⁻⁶ of a unit. */
export const QUANTITY_PLACES = 6;
/** The most of anything that can be rated. */
export const MAX_QUANTITY = 10n ** 12n;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * A decimal as a whole number of 10⁻ᵖˡᵃᶜᵉˢ.
 * @throws {RangeError} on what is no plain decimal, is negative or has more places.
 */
export function parseDecimal(value: number | string, places: number): bigint {
  if (typeof value === 'number') {
    // Up to 15 digits a number is the only one nearest to its decimal, and needs no reading.
    const shifted = Math.round(value * 10 ** places);
    if (value >= 0 && shifted < 1e15 && shifted / 10 ** places === value) return BigInt(shifted);
  }
  const match = DECIMAL.exec(typeof value === 'number' ? plainText(value) : value);
  const [, whole, fraction = ''] = match ?? [];
  if (whole === undefined) throw new RangeError('must be a number of 0 or more, in plain decimals');
  if (fraction.length > places) throw new RangeError(`must have at most ${places} decimals`);
  return BigInt(whole + fraction.padEnd(places, '0'));
}

/** The decimal of so many 10⁻ᵖˡᵃᶜᵉˢ, without zeros that say nothing. */
export function formatDecimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The nearest whole number of divisors; of two as near, the even one. Both are 0 or more. */
export function divideHalfEven(amount: bigint, divisor: bigint): bigint {
  const quotient = amount / divisor;
  const twice = 2n * (amount % divisor);
  return twice > divisor || (twice === divisor && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** JavaScript writes small and huge numbers with exponents: 1.5e-7. */
function plainText(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa;
  if (Number(exponent) > 0) return BigInt(value).toString();
  return `0.${'0'.repeat(-Number(exponent) - 1)}${mantissa.replace('.', '')}`;
}
