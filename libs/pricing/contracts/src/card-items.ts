import { PRICE_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';

/** The groups of billable items, which are the keys of a usage. */
export const USAGE_GROUPS = ['meters', 'boxes', 'domains'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** A billable item of a usage card. */
export interface CardItem {
  readonly group: UsageGroup;
  /** The id in a usage: id of a meter or free item, size of a box, or kind of a domain. Unique in its group. */
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly unitUsd: number;
  /** The unit price as an integer number of 10⁻⁹ USD. */
  readonly unitNanoUsd: bigint;
  readonly waivedInTrial: boolean;
}

const FREE_ITEM_LABELS: Readonly<Record<string, { readonly label: string; readonly unit: string }>> = {
  deploys: { label: 'Deploys', unit: 'deploy' },
  dms: { label: 'Direct messages', unit: 'message' },
  'background-ai': { label: 'Background AI', unit: 'run' },
};

/** Cards are immutable, so their items are computed once. */
const itemsByCard = new WeakMap<UsageCard, readonly CardItem[]>();

/** All items of a card in the order of the invoice lines: meters, boxes, domains, free items. */
export function itemsOf(card: UsageCard): readonly CardItem[] {
  const items = itemsByCard.get(card) ?? [...metersOf(card), ...boxesOf(card), ...domainsOf(card), ...freeOf(card)];
  itemsByCard.set(card, items);
  return items;
}

function metersOf({ meters }: UsageCard): CardItem[] {
  return meters.map(({ waivedInTrial = false, ...meter }) => ({ ...itemOf('meters', meter), waivedInTrial }));
}

function boxesOf({ boxes }: UsageCard): CardItem[] {
  return boxes.map(({ size, monthlyUsd }) =>
    itemOf('boxes', { id: size, label: `${sizeLabel(size)} box`, unit: 'box-month', unitUsd: monthlyUsd }),
  );
}

function domainsOf({ domains: { standardUsd, premiumUsd } }: UsageCard): CardItem[] {
  return [
    itemOf('domains', { id: 'standard', label: 'Custom hostname', unit: 'hostname-month', unitUsd: standardUsd }),
    itemOf('domains', { id: 'premium', label: 'Custom base domain', unit: 'domain-month', unitUsd: premiumUsd }),
  ];
}

function freeOf({ free }: UsageCard): CardItem[] {
  return free.map((id) => itemOf('meters', { id, ...freeItemLabel(id), unitUsd: 0 }));
}

function itemOf(group: UsageGroup, item: Pick<CardItem, 'id' | 'label' | 'unit' | 'unitUsd'>): CardItem {
  return { group, ...item, unitNanoUsd: parseDecimal(item.unitUsd, PRICE_PLACES), waivedInTrial: false };
}

/** The name of a box size: "Extra large". */
export function sizeLabel(size: string): string {
  return size === 'xlarge' ? 'Extra large' : sentenceCase(size);
}

/** Label and unit of a free item. */
export function freeItemLabel(id: string): { readonly label: string; readonly unit: string } {
  return FREE_ITEM_LABELS[id] ?? { label: sentenceCase(id), unit: 'unit' };
}

/** Converts an id to sentence case: "background-ai" to "Background ai". */
function sentenceCase(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
