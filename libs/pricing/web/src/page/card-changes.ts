import { type CardItem, itemsOf, type UsageCard } from '@homeport/pricing/contracts';
import { translateServerText } from '@homeport/platform/web';
import { dayCountLabel, pricePerUnit, usd } from './price-messages';

/** A readable difference between two cards: the changed item and the change. */
export interface CardChange {
  readonly what: string;
  readonly words: string;
}

/** Returns the differences between a card and its predecessor. */
export function changesBetween(before: UsageCard, after: UsageCard): readonly CardChange[] {
  const earlier = new Map(itemsOf(before).map((item) => [keyOf(item), item]));
  const later = new Map(itemsOf(after).map((item) => [keyOf(item), item]));
  const removed = [...earlier].filter(([key]) => !later.has(key));
  return [
    ...termChanges(before, after),
    ...[...later].flatMap(([key, item]) => [
      ...itemChanges(earlier.get(key), item),
      ...(item.group === 'boxes' ? instanceChanges(item, before, after) : []),
    ]),
    ...removed.map(([, { label }]) => ({ what: translateServerText(label), words: $localize`no longer offered` })),
  ];
}

function termChanges(before: UsageCard, after: UsageCard): CardChange[] {
  return [
    ...changed($localize`Included every month`, usd(before.includedUsd), usd(after.includedUsd)),
    ...changed($localize`Trial`, dayCountLabel(before.trial.days), dayCountLabel(after.trial.days)),
    ...capChanges(usd(before.trial.capUsd), usd(after.trial.capUsd)),
  ];
}

function capChanges(was: string, is: string): CardChange[] {
  const words = $localize`up to ${is}:new: instead of ${was}:old:`;
  return was === is ? [] : [{ what: $localize`Trial`, words }];
}

function itemChanges(before: CardItem | undefined, after: CardItem): CardChange[] {
  const what = translateServerText(after.label);
  if (!before) return [{ what, words: $localize`new, ${priceLabel(after)}:price:` }];
  // Repeat the unit only when it changes or when one of the prices is free.
  const isSameUnit = before.unit === after.unit && after.unitUsd !== 0 && before.unitUsd !== 0;
  const isSamePrice = before.unitUsd === after.unitUsd && before.unit === after.unit;
  const was = isSameUnit ? usd(before.unitUsd) : priceLabel(before);
  const waived = after.waivedInTrial ? $localize`free in the trial` : $localize`no longer free in the trial`;
  return [
    ...(isSamePrice ? [] : [{ what, words: insteadOf(was, priceLabel(after)) }]),
    ...(before.waivedInTrial === after.waivedInTrial ? [] : [{ what, words: waived }]),
  ];
}

function instanceChanges({ id, label }: CardItem, before: UsageCard, after: UsageCard): CardChange[] {
  const [was, is] = [before, after].map(({ boxes }) => boxes.find(({ size }) => size === id)?.instanceType);
  return was === undefined || is === undefined ? [] : changed(translateServerText(label), was, is);
}

function changed(what: string, was: string, is: string): CardChange[] {
  return was === is ? [] : [{ what, words: insteadOf(was, is) }];
}

function insteadOf(was: string, is: string): string {
  return $localize`${is}:new: instead of ${was}:old:`;
}

function priceLabel(item: CardItem): string {
  return item.unitUsd === 0 ? $localize`free` : pricePerUnit(item);
}

function keyOf({ group, id }: CardItem): string {
  return `${group}.${id}`;
}
