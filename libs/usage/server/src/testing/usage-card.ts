import type { UsageCard } from '@homeport/pricing/contracts';

/** A card with all items that Homeport measures. */
export const usageCard: UsageCard = {
  version: '2026-10-01',
  newSignupsFrom: '2026-10-01T00:00:00Z',
  includedUsd: 10,
  trial: { days: 30, capUsd: 500 },
  meters: [
    { id: 'member-sync', label: 'Member sync', unit: 'sync', unitUsd: 0.002 },
    { id: 'gateway-call', label: 'Gateway call', unit: 'call', unitUsd: 0.0004 },
    { id: 'tool-call', label: 'Tool-protocol call', unit: 'call', unitUsd: 0.001 },
    { id: 'agent-run', label: 'Agent run', unit: 'run', unitUsd: 0.02 },
    { id: 'storage', label: 'Storage', unit: 'gb-month', unitUsd: 0.05 },
    { id: 'secret', label: 'Secret', unit: 'secret-month', unitUsd: 0.05 },
    { id: 'vault', label: 'Vault', unit: 'vault-month', unitUsd: 5, waivedInTrial: true },
  ],
  boxes: [{ size: 'small', instanceType: 't3.small', monthlyUsd: 25 }],
  free: ['deploys'],
  domains: { standardUsd: 10, premiumUsd: 50 },
};
