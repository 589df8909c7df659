/** Domains as the API returns them, with fixed values. */
import { NOW } from './workspace-fixtures';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds).toISOString();

const TOKEN = 'homeport-domain=3f2b8c1d9a7e4f60b5c2d8e1a4f70936';
const SERVERS = ['ns1.dns-provider.example', 'ns2.dns-provider.example'];

/** @param answers one for each name server. */
const seenAs = (...answers: readonly (readonly string[])[]) =>
  SERVERS.map((server, index) => ({ server, answer: answers[index] ?? [] }));

const record = (type: string, name: string, value: string, purpose: string) => ({
  ...{ type, name, value, purpose, state: 'missing', hint: null as string | null },
  seen: seenAs(),
});

type RecordBody = ReturnType<typeof record>;
const found = (each: RecordBody) => ({ ...each, state: 'found', seen: seenAs([each.value], [each.value]) });

const recordsOf = (name: string) => [
  record('TXT', `_homeport.${name}`, TOKEN, 'ownership'),
  record('CNAME', name, 'edge.homeport.example', 'routing'),
];

const domain = (id: number, name: string, more: object) => ({
  id: `00000000-0000-4000-8000-00000000050${id}`,
  kind: 'hostname',
  name,
  app_id: '00000000-0000-4000-8000-000000000001' as string | null,
  status: 'pending',
  ownership: 'pending',
  routing: 'unknown',
  certificate: 'none',
  records: recordsOf(name),
  is_primary: false,
  redirect_to: null as string | null,
  hsts: 'off',
  certificate_expires_at: null as string | null,
  next_check_at: after(12_000),
  price_usd: 10,
  created_at: after(-2 * MINUTE),
  ...more,
});

const working = (name: string) => ({
  ...{ status: 'active', ownership: 'verified', routing: 'here', certificate: 'active' },
  records: recordsOf(name).map(found),
  certificate_expires_at: after(52 * DAY),
  next_check_at: after(DAY),
});

const MISTAKES = recordsOf('help.northwind.example').map((each, index) => ({
  ...each,
  ...(index === 0
    ? {
        hint: `The record is at "${each.name}.northwind.example": your DNS provider adds the domain to the name. Enter the name without it.`,
      }
    : {
        state: 'wrong',
        seen: seenAs(['old-host.example'], [each.value]),
        hint: '1 of 2 name servers have the record. The others usually follow within an hour.',
      }),
}));

const SUSPENDED = recordsOf('blog.northwind.example').map((each, index) => (index === 0 ? each : found(each)));

const BASE_RECORDS = [
  record('TXT', '_homeport.northwind.example', TOKEN, 'ownership'),
  record('CNAME', '*.northwind.example', 'edge.homeport.example', 'routing'),
  record(
    'CNAME',
    '_acme-challenge.northwind.example',
    '00000000-0000-4000-8000-000000000504.acme.homeport.example',
    'challenge',
  ),
].map(found);

export const DOMAINS = {
  pending: domain(1, 'www.northwind.example', {}),
  mistakes: domain(2, 'help.northwind.example', {}),
  active: domain(3, 'shop.northwind-outdoor-equipment.example', {
    ...working('shop.northwind-outdoor-equipment.example'),
    is_primary: true,
  }),
  base: domain(4, 'northwind.example', {
    ...working('northwind.example'),
    ...{ kind: 'base', app_id: null, records: BASE_RECORDS, price_usd: 50 },
  }),
  issuing: domain(5, 'docs.northwind.example', {
    ...working('docs.northwind.example'),
    ...{ status: 'pending', certificate: 'ordering', certificate_expires_at: null, next_check_at: after(12_000) },
  }),
  failing: domain(6, 'status.northwind.example', {
    ...working('status.northwind.example'),
    ...{ status: 'attention', routing: 'partly', next_check_at: after(20 * MINUTE) },
  }),
  suspended: domain(7, 'blog.northwind.example', {
    ...working('blog.northwind.example'),
    ...{ status: 'suspended', ownership: 'failing', records: SUSPENDED, next_check_at: after(40 * MINUTE) },
  }),
  redirecting: domain(8, 'old.northwind.example', {
    ...working('old.northwind.example'),
    redirect_to: 'landing-page.apps.localhost',
  }),
};
DOMAINS.mistakes.records = MISTAKES;

export const DOMAIN_LIST = {
  items: Object.values(DOMAINS),
  prices_usd: { hostname: 10, base: 50 },
  offered_kinds: ['hostname', 'base'],
};
/** Of an installation that cannot get certificates for base domains. */
export const HOSTNAMES_ONLY = { ...DOMAIN_LIST, items: [] as typeof DOMAIN_LIST.items, offered_kinds: ['hostname'] };
