import { type CardItem, itemsOf, type UsageCard } from '@homeport/pricing/contracts';
import { unitWords, usd } from './price-words';

/** One difference between two cards, for reading: what it concerns, and what becomes of it. */
export interface CardChange {
  readonly what: string;
  readonly words: string;
}

/** Everything a card changes about the one before it. */
export function changesBetween(before: UsageCard, after: UsageCard): readonly CardChange[] {
  const earlier = new Map(itemsOf(before).map((item) => [keyOf(item), item]));
  const later = new Map(itemsOf(after).map((item) => [keyOf(item), item]));
  const gone = [...earlier].filter(([key]) => !later.has(key));
  return [
    ...termChanges(before, after),
    ...[...later].flatMap(([key, item]) => [
      ...itemChanges(earlier.get(key), item),
      ...(item.group === 'boxes' ? instanceChanges(item, before, after) : []),
    ]),
    ...gone.map(([, { label }]) => ({ what: label, words: 'no longer offered' })),
  ];
}

function termChanges(before: UsageCard, after: UsageCard): CardChange[] {
  return [
    ...changed('Included every month', usd(before.includedUsd), usd(after.includedUsd)),
    ...changed('Trial', `${before.trial.days} days`, `${after.trial.days} days`),
    ...changed('Trial', usd(before.trial.capUsd), usd(after.trial.capUsd), 'up to '),
  ];
}

function itemChanges(before: CardItem | undefined, after: CardItem): CardChange[] {
  const what = after.label;
  if (!before) return [{ what, words: `new, ${priceWords(after)}` }];
  // The unit is said twice only where it is another one, or where one of the two prices has none.
  const isSameUnit = before.unit === after.unit && after.unitUsd !== 0 && before.unitUsd !== 0;
  const isSamePrice = before.unitUsd === after.unitUsd && before.unit === after.unit;
  const was = isSameUnit ? usd(before.unitUsd) : priceWords(before);
  const waived = after.waivedInTrial ? 'free in the trial' : 'no longer free in the trial';
  return [
    ...(isSamePrice ? [] : [{ what, words: `${priceWords(after)} instead of ${was}` }]),
    ...(before.waivedInTrial === after.waivedInTrial ? [] : [{ what, words: waived }]),
  ];
}

function instanceChanges({ id, label }: CardItem, before: UsageCard, after: UsageCard): CardChange[] {
  const [was, is] = [before, after].map(({ boxes }) => boxes.find(({ size }) => size === id)?.instanceType);
  return was === undefined || is === undefined ? [] : changed(label, was, is);
}

function changed(what: string, was: string, is: string, prefix = ''): CardChange[] {
  return was === is ? [] : [{ what, words: `${prefix}${is} instead of ${was}` }];
}

function priceWords({ unit, unitUsd }: CardItem): string {
  return unitUsd === 0 ? 'free' : `${usd(unitUsd)} per ${unitWords(unit)}`;
}

function keyOf({ group, id }: CardItem): string {
  return `${group}.${id}`;
}
