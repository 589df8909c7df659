import { NOW } from './workspace-fixtures';

const day = (days: number) => new Date(NOW.getTime() - days * 86_400_000).toISOString();

const token = (id: string, name: string) => ({
  id,
  name,
  kind: 'organization',
  scopes: ['deploys:write', 'apps:read'],
  app_id: null as string | null,
  prefix: null as string | null,
  expires_at: null as string | null,
  created_at: day(90),
  created_by: 'ada',
  last_used_at: null as string | null,
});

export const PERSONAL_TOKENS = [
  {
    ...token('backup', 'Nightly backup'),
    ...{ kind: 'personal', scopes: ['files:read'], prefix: 'reports/', expires_at: day(-60), last_used_at: day(0.1) },
  },
  { ...token('laptop', 'Old laptop'), kind: 'personal', scopes: ['files:read', 'files:write'], expires_at: day(3) },
];

/** The second one belongs to the third app. */
export const ORGANIZATION_TOKENS = [
  { ...token('release', 'Release server in the data centre of Frankfurt am Main'), last_used_at: day(2) },
  { ...token('shop', 'Shop server'), app_id: '00000000-0000-4000-8000-000000000003' },
];

export const TRUSTS = [
  {
    id: 'shop',
    issuer: 'github',
    claims: { repository: 'northwind/shop', ref: 'refs/heads/main' },
    scopes: ['apps:read', 'deploys:write'],
    created_at: day(2),
  },
];
