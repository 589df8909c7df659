import type { Domain, DomainRecord } from '@homeport/apps/contracts';

const NAME = 'www.acme.example';

const OWNERSHIP: DomainRecord = {
  type: 'TXT',
  name: `_homeport.${NAME}`,
  value: 'homeport-domain=3f2b8c1d9a7e4f60b5c2d8e1a4f70936',
  purpose: 'ownership',
  state: 'missing',
  seen: [],
  hint: null,
};

export const RECORDS = [
  OWNERSHIP,
  { ...OWNERSHIP, type: 'CNAME', name: NAME, value: 'edge.example', purpose: 'routing' },
] as const satisfies readonly DomainRecord[];

/** A host name of an app that was just added. */
export const DOMAIN: Domain = {
  id: '00000000-0000-4000-8000-000000000501',
  kind: 'hostname',
  name: NAME,
  app_id: '00000000-0000-4000-8000-000000000001',
  status: 'pending',
  ownership: 'pending',
  routing: 'unknown',
  certificate: 'none',
  records: RECORDS,
  is_primary: false,
  redirect_to: null,
  hsts: 'off',
  certificate_expires_at: null,
  next_check_at: null,
  price_usd: 10,
  created_at: '2026-11-20T15:30:00Z',
};
