import {
  centsToUsd,
  formatDecimal,
  PRICE_PLACES,
  QUANTITY_PLACES,
  type RatedLine,
  type Rating,
} from '@homeport/pricing/contracts';
import type { ChargedLine, ChargedMonth } from '@homeport/usage/contracts';

type Sum = Pick<ChargedLine, 'item' | 'in_trial' | 'quantity' | 'unit_usd' | 'amount_usd'>;

/** Compares a charge with the rating of the stored usage by the card of the account. @returns a sentence each. */
export function chargeDifferences(charge: ChargedMonth, rating: Rating, card: string): string[] {
  const rated = rating.lines.map(toSum);
  const keys = new Set([...charge.lines, ...rated].map(keyOf));
  const sums: readonly (readonly [name: string, charged: string, expected: string])[] = [
    ['The usage card', charge.card, card],
    ['The included amount', charge.included_usd, centsToUsd(rating.includedCents)],
    ['The trial cover', charge.trial_covered_usd, centsToUsd(rating.trialCoveredCents)],
    ['The total', charge.total_usd, centsToUsd(rating.totalCents)],
  ];
  return [
    ...[...keys].flatMap((key) => lineDifference(key, textOf(charge.lines, key), textOf(rated, key))),
    ...sums
      .filter(([, charged, expected]) => charged !== expected)
      .map(([name, charged, expected]) => `${name} is ${charged}, and usage × prices gives ${expected}.`),
  ];
}

function toSum({ item, quantity, cents, isInTrial }: RatedLine): Sum {
  return {
    item: item.id,
    in_trial: isInTrial,
    quantity: formatDecimal(quantity, QUANTITY_PLACES),
    unit_usd: formatDecimal(item.unitNanoUsd, PRICE_PLACES),
    amount_usd: centsToUsd(cents),
  };
}

function keyOf({ item, in_trial }: Sum): string {
  return `${item}${in_trial ? ' in the trial' : ''}`;
}

/** All lines with a key, so that a line that is charged twice differs from one. */
function textOf(lines: readonly Sum[], key: string): string {
  return lines
    .filter((line) => keyOf(line) === key)
    .map(({ quantity, unit_usd, amount_usd }) => `${quantity} × ${unit_usd} USD = ${amount_usd} USD`)
    .join(' and ');
}

function lineDifference(key: string, charged: string, expected: string): string[] {
  if (charged === expected) return [];
  return [`${key} is charged ${charged || 'nothing'}, and usage × prices gives ${expected || 'nothing'}.`];
}
