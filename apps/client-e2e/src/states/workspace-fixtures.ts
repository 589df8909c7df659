/** A workspace and an organization as the API returns them, with fixed values. */

/** The fixed time of the screenshots. */
export const NOW = new Date('2026-11-20T15:30:00Z');

const day = (days: number, time = '09:12:00') => {
  const date = new Date(NOW.getTime() - days * 86_400_000).toISOString().slice(0, 10);
  return `${date}T${time}Z`;
};

const file = (key: string, size: number, modified_at: string, content_type: string) => ({
  key,
  size,
  etag: `"${String(size).padStart(32, '0')}"`,
  modified_at,
  content_type,
});

export const FILES = [
  file('handbook.md', 4_812, day(0, '15:24:00'), 'text/markdown'),
  file('knowledge/onboarding.md', 2_114, day(1), 'text/markdown'),
  file('knowledge/glossary.md', 9_870, day(6), 'text/markdown'),
  file('knowledge/people/contacts.csv', 18_020, day(40), 'text/csv'),
  file('logo.png', 48_211, day(12), 'image/png'),
  file('notes 2 (final).txt', 812, day(3), 'text/plain'),
  file('reports/2026/q3-revenue.json', 1_204, day(2), 'application/json'),
  file('reports/2026/q3-revenue.pdf', 1_840_220, day(2), 'application/pdf'),
  file('reports/uptime.csv', 33_100, day(8), 'text/csv'),
  file('settings.json', 611, day(0, '14:02:00'), 'application/json'),
  file('social-drafts/autumn-release.md', 1_402, day(4), 'text/markdown'),
  file('threads/launch-plan.md', 7_110, day(0, '11:48:00'), 'text/markdown'),
  file('threads/support-rota.md', 1_990, day(5), 'text/markdown'),
];

export const MARKDOWN = `# Handbook

Everything a new colleague asks in the first week, in one place. See [the plan](threads/launch-plan.md) for what is next.

> [!NOTE]
> The rota changes every Monday.

| Region | Revenue | Change |
| ------ | ------: | -----: |
| North  |  42,100 |  +3.1% |
| South  |  38,400 |  -0.4% |

- [x] numbers checked
- [ ] signed off

\`\`\`ts
export function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
\`\`\`
`;

export const JSON_TEXT =
  '{"region":"north","revenue":42100.00,"id":9007199254740993,"tags":["q3","final"],"approved":null}';

/** @param hours age relative to `NOW`. */
const activeDeploy = (number: number, hours: number, has_start_page = true) => ({
  number,
  created_at: new Date(NOW.getTime() - hours * 3_600_000).toISOString(),
  created_by: 'Dora Lind',
  problem_count: has_start_page ? 0 : 3,
  has_start_page,
});

const app = (id: number, name: string, more: object) => {
  const subdomain = name.toLowerCase().replaceAll(' ', '-');
  const hostname = `${subdomain}.apps.localhost`;
  return {
    id: `00000000-0000-4000-8000-00000000000${id}`,
    name,
    subdomain,
    hostname,
    url: `http://${hostname}:8080`,
    addresses: [{ url: `http://${hostname}:8080`, kind: 'platform', is_primary: true }],
    type: 'static',
    deploy_count: 0,
    dns_status: 'dns-active',
    active_deploy_id: null,
    active_deploy: null,
    created_at: day(id * 3),
    ...more,
  };
};

export const APPS = [
  app(1, 'Landing page', {
    deploy_count: 4,
    active_deploy_id: '00000000-0000-4000-8000-000000000201',
    active_deploy: activeDeploy(4, 0.04),
  }),
  app(2, 'Customer portal', { type: 'ssr', dns_status: 'dns-pending' }),
  app(3, 'Old shop', {
    deploy_count: 4,
    active_deploy_id: '00000000-0000-4000-8000-000000000108',
    active_deploy: activeDeploy(8, 2, false),
    dns_status: 'dns-failed',
    dns_error: {
      code: 'provider-unavailable',
      message: 'The DNS provider does not answer.',
      retryable: true,
      attempts: 3,
      next_attempt_at: new Date(NOW.getTime() + 240_000).toISOString(),
    },
  }),
];

export const HOSTING = {
  domain: 'apps.localhost',
  cname_target: 'edge.localhost',
  reserved_subdomains: ['api', 'www', 'admin', 'app', 'dashboard'],
  apps_per_organization: 1_000,
  deploy_limits: {
    archive_bytes: 104_857_600,
    unpacked_bytes: 524_288_000,
    files: 20_000,
    file_bytes: 52_428_800,
  },
  app_types: ['static', 'ssr'],
};

export const PROVIDERS = [
  { id: 'northwind', label: 'Northwind Workforce' },
  { id: 'globex', label: 'Globex ID' },
];

export const SESSION = {
  access_token: 'mock-access-token',
  expires_at: new Date(NOW.getTime() + 3_600_000).toISOString(),
  user: { sub: 'northwind|dora', name: 'Dora Lind', email: 'dora@northwind.example', organization: 'org_northwind' },
};

export const SESSIONS = {
  items: [
    {
      id: 'this',
      device: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0 Safari/537.36',
      created_at: day(2),
      last_used_at: NOW.toISOString(),
      current: true,
    },
    {
      id: 'phone',
      device: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Version/26.0 Mobile/15E148 Safari/604.1',
      created_at: day(20),
      last_used_at: day(1),
      current: false,
    },
  ],
};
