import type { UsageCard } from '../pricing-statement';

/** A card with items of every group. */
export const exampleCard: UsageCard = {
  version: '2026-10-01',
  newSignupsFrom: '2026-10-01T00:00:00Z',
  includedUsd: 10,
  trial: { days: 30, capUsd: 500 },
  meters: [
    { id: 'member-sync', label: 'Member sync', unit: 'sync', unitUsd: 0.002 },
    { id: 'gateway-call', label: 'Gateway call', unit: 'call', unitUsd: 0.0004 },
    { id: 'storage', label: 'Storage', unit: 'gb-month', unitUsd: 0.05 },
    { id: 'vault', label: 'Vault', unit: 'vault-month', unitUsd: 5, waivedInTrial: true },
  ],
  boxes: [{ size: 'small', instanceType: 't3.small', monthlyUsd: 25 }],
  free: ['deploys', 'dms'],
  domains: { standardUsd: 10, premiumUsd: 50 },
};
