/**
 * Exact decimals as integers of their smallest unit. JSON numbers of prices are exact, because catalog amounts have at
 * most 15 significant digits: the shortest text of such a number is the original decimal.
 */

/** Decimal places of a unit price: 10⁻⁹ USD. */
export const PRICE_PLACES = 9;
/** Decimal places of a quantity: 10⁻⁶ of a unit. */
export const QUANTITY_PLACES = 6;
/** The largest quantity that can be rated, in units. */
export const MAX_QUANTITY = 10n ** 12n;

const DECIMAL = /^(\d+)(?:\.(\d+))?$/;

/**
 * Parses a decimal to an integer number of 10⁻ᵖˡᵃᶜᵉˢ.
 * @throws {RangeError} when the value is not a plain decimal, is negative or has too many places.
 */
export function parseDecimal(value: number | string, places: number): bigint {
  if (typeof value === 'number') {
    // Fast path: with at most 15 digits, the number determines its decimal, so no text is parsed.
    const shifted = Math.round(value * 10 ** places);
    if (value >= 0 && shifted < 1e15 && shifted / 10 ** places === value) return BigInt(shifted);
  }
  const match = DECIMAL.exec(typeof value === 'number' ? plainText(value) : value);
  const [, whole, fraction = ''] = match ?? [];
  if (whole === undefined) throw new RangeError('must be a number of 0 or more, in plain decimals');
  if (fraction.length > places) throw new RangeError(`must have at most ${places} decimals`);
  return BigInt(whole + fraction.padEnd(places, '0'));
}

/** Formats an integer number of 10⁻ᵖˡᵃᶜᵉˢ as a decimal without trailing zeros. */
export function formatDecimal(amount: bigint, places: number): string {
  const digits = amount.toString().padStart(places + 1, '0');
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - places);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Divides and rounds half to even. Both arguments must be 0 or more. */
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
