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
  readonly waivedInTrial: boolean;
}

const FREE_WORDS: Readonly<Record<string, { readonly label: string; readonly unit: string }>> = {
  deploys: { label: 'Deploys', unit: 'deploy' },
  dms: { label: 'Direct messages', unit: 'message' },
  'background-ai': { label: 'Background AI', unit: 'run' },
};

/** Everything a card has a price for, in the order of its lines: meters, boxes, domains, and what is free. */
export function itemsOf(card: UsageCard): readonly CardItem[] {
  return [
    ...card.meters.map(({ waivedInTrial = false, ...meter }) => ({
      group: 'meters' as const,
      ...meter,
      waivedInTrial,
    })),
    ...card.boxes.map(({ size, monthlyUsd }) =>
      unwaived({ group: 'boxes', id: size, label: `${sizeLabel(size)} box`, unit: 'box-month', unitUsd: monthlyUsd }),
    ),
    ...domainsOf(card),
    ...card.free.map((id) => unwaived({ group: 'meters', id, ...freeWords(id), unitUsd: 0 })),
  ];
}

function domainsOf({ domains: { standardUsd, premiumUsd } }: UsageCard): CardItem[] {
  const [standard, premium] = [
    { id: 'standard', label: 'Custom hostname', unit: 'hostname-month', unitUsd: standardUsd },
    { id: 'premium', label: 'Custom base domain', unit: 'domain-month', unitUsd: premiumUsd },
  ] as const;
  return [standard, premium].map((domain) => unwaived({ group: 'domains', ...domain }));
}

function unwaived(item: Omit<CardItem, 'waivedInTrial'>): CardItem {
  return { ...item, waivedInTrial: false };
}

/** The name of a box size: "Extra large". */
export function sizeLabel(size: string): string {
  return size === 'xlarge' ? 'Extra large' : sentence(size);
}

/** How something that is never billed is called and counted. */
export function freeWords(id: string): { readonly label: string; readonly unit: string } {
  return FREE_WORDS[id] ?? { label: sentence(id), unit: 'unit' };
}

/** "background-ai" as "Background ai". */
function sentence(id: string): string {
  const words = id.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
