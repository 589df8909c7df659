import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the orders of certificates, the accounts at certificate authorities, and when to look at renewals. */
export class CertificateOrders1766000000800 implements MigrationInterface {
  readonly name = 'CertificateOrders1766000000800';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.domain_claims add column certificate_expires_at timestamptz');
    await runner.query(`
      create table apps.certificate_orders (
        id uuid primary key default gen_random_uuid(),
        -- Null for the certificate of the platform domain. One order for each claim.
        claim_id uuid unique nulls not distinct references apps.domain_claims (id) on delete cascade,
        names text[] not null check (cardinality(names) > 0),
        challenge text not null check (challenge in ('http-01', 'tls-alpn-01', 'dns-01')),
        -- Set when the order is placed: where, its URL, and the private key in PEM, sealed with certificate\\n{id}.
        directory text,
        url text,
        sealed_key bytea,
        -- Failures since the last success.
        failures integer not null default 0,
        error text,
        next_attempt_at timestamptz not null default now(),
        -- The instance that works on it; it ends at next_attempt_at.
        lease uuid,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index certificate_orders_due_idx on apps.certificate_orders (next_attempt_at)');
    await runner.query(`
      create table apps.acme_accounts (
        directory text primary key,
        -- Null until the account is registered.
        url text,
        -- PEM, sealed with the context acme-account\\n{directory}.
        sealed_key bytea not null
      )`);
    await runner.query(`
      create table apps.acme_order_starts (
        directory text not null references apps.acme_accounts (directory) on delete cascade,
        started_at timestamptz not null
      )`);
    await runner.query('create index acme_order_starts_idx on apps.acme_order_starts (directory, started_at)');
    await runner.query(`
      create table apps.certificate_renewals (
        certificate_id uuid primary key references apps.certificates (id) on delete cascade,
        directory text not null,
        -- When to ask the authority again for the best time of the renewal.
        next_look_at timestamptz not null
      )`);
    await runner.query('create index certificate_renewals_due_idx on apps.certificate_renewals (next_look_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table apps.certificate_renewals');
    await runner.query('drop table apps.acme_order_starts');
    await runner.query('drop table apps.acme_accounts');
    await runner.query('drop table apps.certificate_orders');
    await runner.query('alter table apps.domain_claims drop column certificate_expires_at');
  }
}
