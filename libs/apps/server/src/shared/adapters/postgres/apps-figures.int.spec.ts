import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '@homeport/platform/server/database';
import { type AppsDatabase, openAppsDatabase } from '../../../testing/open-apps-database';
import { appsFigures } from './apps-figures';

const EXPIRY = 'homeport_certificate_earliest_expiry_timestamp_seconds';
const LATE = '2026-12-30T00:00:00Z';
const EARLY = '2026-12-01T00:00:00Z';

let opened: AppsDatabase;
let database: Database;
const run = <Row>(text: string, values: unknown[] = []) =>
  database.run((manager) => manager.query<Row[]>(text, values));

beforeAll(async () => {
  opened = await openAppsDatabase();
  ({ database } = opened);
});
afterAll(() => opened.close());

describe('the figures of certificates', () => {
  beforeEach(() => run('truncate apps.certificates, apps.domain_claims cascade'));

  /** Adds a verified domain that leads to the edges, with a certificate. @param changed other columns of the domain. */
  const addDomain = async (name: string, notAfter: string, changed = 'verified_at = verified_at') => {
    const [claim] = await run<{ id: string }>(
      `insert into apps.domain_claims (id, organization, kind, name, registrable_domain, token, created_at, verified_at,
         routing, certificate, is_primary, price_usd, card_version, records)
       values (gen_random_uuid(), 'northwind', 'hostname', $1, $1, 'token', now(), now(), 'here', 'active', false, 1,
         '1', '[]') returning id`,
      [name],
    );
    await run(`update apps.domain_claims set ${changed} where id = $1`, [claim?.id]);
    await addCertificate(name, notAfter, claim?.id);
  };
  const addCertificate = (name: string, notAfter: string, claimId?: string) =>
    run(
      `insert into apps.certificates (id, claim_id, names, chain, sealed_key, not_before, not_after, renew_at, serial)
       values (gen_random_uuid(), $1, array[$2], '', '', '2026-10-01', $3, $3, gen_random_uuid()::text)`,
      [claimId ?? null, name, notAfter],
    );
  const figures = async () => {
    const { [EXPIRY]: expiry, homeport_certificates: amount } = await appsFigures(run).read();
    return { expiry: expiry?.map(({ value }) => new Date(value * 1_000)), amount: amount?.[0]?.value };
  };

  it('are absent and 0 without certificates', async () => {
    expect(await figures()).toEqual({ expiry: [], amount: 0 });
  });

  it('have the certificate that expires first, also that of the platform domain', async () => {
    await addDomain('www.acme.test', LATE);
    await addCertificate('*.apps.example.net', EARLY);
    expect(await figures()).toEqual({ expiry: [new Date(EARLY)], amount: 2 });
  });

  // Such a certificate is not renewed: only the owner of the domain can change that.
  it.each([
    ['leads elsewhere', `routing = 'elsewhere'`, 2],
    ['leads here in part', `routing = 'partly'`, 2],
    ['is suspended', 'suspended_at = now()', 1],
    ['is released', 'released_at = now()', 1],
  ])('leave out the expiry of a domain that %s', async (_case, changed, amount) => {
    await addDomain('www.acme.test', LATE);
    await addDomain('www.globex.test', EARLY, changed);
    expect(await figures()).toEqual({ expiry: [new Date(LATE)], amount });
  });
});
