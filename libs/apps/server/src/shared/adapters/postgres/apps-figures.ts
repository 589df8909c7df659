import type { FigureSource } from '@homeport/platform/server/metrics';
import type { Query } from '@homeport/platform/server/postgres';

const DNS_STATES = ['pending', 'syncing', 'settled', 'failed'] as const;
const ORDER_STATES = ['open', 'failing'] as const;

const FIGURES = {
  records: {
    name: 'homeport_dns_records',
    help: 'Records of apps in the ledger by state: failed ones need a retry, or a person.',
    labels: ['state'],
  },
  overdue: {
    name: 'homeport_dns_records_overdue',
    help: 'Records whose next attempt is late by more than two minutes.',
  },
  expiry: {
    name: 'homeport_certificate_earliest_expiry_timestamp_seconds',
    help: 'When the certificate that ends first expires, of those that are renewed; absent without them.',
  },
  certificates: { name: 'homeport_certificates', help: 'Certificates that edges serve.' },
  orders: {
    name: 'homeport_certificate_orders',
    help: 'Orders of certificates: open without a failure yet, or failing.',
    labels: ['state'],
  },
} as const;

interface Row {
  readonly records: Readonly<Record<string, number>> | null;
  readonly overdue: string;
  readonly expiry: number | null;
  readonly certificates: string;
  readonly open: string;
  readonly failing: string;
}

const NOTHING: Row = { records: null, overdue: '0', expiry: null, certificates: '0', open: '0', failing: '0' };

/** What the ledgers of records and certificates say, the same on every instance. One statement, with indexes. */
export function appsFigures(query: Query): FigureSource {
  return {
    name: 'apps',
    figures: Object.values(FIGURES).map((figure) => ({ type: 'gauge', ...figure })),
    async read() {
      const [row = NOTHING] = await query<Row>(`
        with current as (
          select distinct on (t.claim_id, t.names) t.not_after, c.id is null or c.routing = 'here' as is_renewed
          from apps.certificates t left join apps.domain_claims c on c.id = t.claim_id
          where c.id is null or (c.verified_at is not null and c.suspended_at is null and c.released_at is null)
          order by t.claim_id, t.names, t.not_after desc)
        select
          (select json_object_agg(state, amount) from (
            select state, count(*) as amount from apps.dns_records group by state) states) as records,
          (select count(*) from apps.dns_records where next_attempt_at < now() - interval '2 minutes') as overdue,
          (select extract(epoch from min(not_after))::float8 from current where is_renewed) as expiry,
          (select count(*) from current) as certificates,
          (select count(*) from apps.certificate_orders where failures = 0) as open,
          (select count(*) from apps.certificate_orders where failures > 0) as failing`);
      const valueOf = (value: number | string) => [{ value: Number(value) }];
      return {
        [FIGURES.records.name]: DNS_STATES.map((state) => ({ labels: { state }, value: row.records?.[state] ?? 0 })),
        [FIGURES.overdue.name]: valueOf(row.overdue),
        [FIGURES.expiry.name]: row.expiry === null ? [] : valueOf(row.expiry),
        [FIGURES.certificates.name]: valueOf(row.certificates),
        [FIGURES.orders.name]: ORDER_STATES.map((state) => ({ labels: { state }, value: Number(row[state]) })),
      };
    },
  };
}
