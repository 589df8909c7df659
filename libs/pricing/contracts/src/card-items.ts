import { PRICE_PLACES, parseDecimal } from './decimals';
import type { UsageCard } from './pricing-statement';

/** What a usage counts, by the keys that a usage has. */
export const USAGE_GROUPS = ['meters', 'boxes', 'domains'] as const;
export type UsageGroup = (typeof USAGE_GROUPS)[number];

/** Something of a card that can be used and billed. */
export interface CardItem {
  readonly group: UsageGroup;
  /** As a usage names it: a meter's or a free thing's id, a box's size, a kind of domain. Unique in its group. */
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly unitUsd: number;
  /** The same as a whole number of 10⁻⁹ USD. */
  readonly unitNanoUsd: bigint;
  readonly waivedInTrial: boolean;
}

const FREE_ITEM_LABELS: Readonly<Record<string, { readonly label: string; readonly unit: string }>> = {
  deploys: { label: 'Deploys', unit: 'deploy' },
  dms: { label: 'Direct messages', unit: 'message' },
  'background-ai': { label: 'Background AI', unit: 'run' },
};

/** Cards never change, so each is read once. */
const read = new WeakMap<UsageCard, readonly CardItem[]>();

/** Everything a card has a price for, in the order of its lines: meters, boxes, domains, and what is free. */
export function itemsOf(card: UsageCard): readonly CardItem[] {
  const items = read.get(card) ?? [...metersOf(card), ...boxesOf(card), ...domainsOf(card), ...freeOf(card)];
  read.set(card, items);
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
  return size === 'xlarge' ? 'Extra large' : sentence(size);
}

/** How something that is never billed is called and counted. */
export function freeItemLabel(id: string): { readonly label: string; readonly unit: string } {
  return FREE_ITEM_LABELS[id] ?? { label: sentence(id), unit: 'unit' };
}

/** "background-ai" as "Background ai". */
function sentence(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
