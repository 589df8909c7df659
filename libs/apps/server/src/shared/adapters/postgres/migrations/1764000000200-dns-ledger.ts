import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Moves DNS records into a separate table that outlives the apps, and adds idempotency keys for registrations. */
export class DnsLedger1764000000200 implements MigrationInterface {
  readonly name = 'DnsLedger1764000000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.dns_records (
        subdomain text primary key,
        -- The organization that the name is reserved for while its record may exist; null: any.
        organization text,
        -- The app that needs the record; null: the record must be removed.
        app_id uuid unique,
        known_target text,
        known_ttl integer check ((known_ttl is null) = (known_target is null)),
        state text not null check (state in ('pending', 'syncing', 'settled', 'failed')),
        change_id text check ((change_id is not null) = (state = 'syncing')),
        error text check ((error is not null) = (state = 'failed')),
        attempts integer not null default 0,
        -- The token of the lease, which is valid until next_attempt_at.
        claim uuid,
        next_attempt_at timestamptz check (claim is null or next_attempt_at is not null),
        changed_at timestamptz not null default now()
      )`);
    await runner.query(
      'create index dns_records_due_idx on apps.dns_records (next_attempt_at) where next_attempt_at is not null',
    );
    // Schedules a check of every existing name: the content of the zone was not recorded before.
    await runner.query(`
      insert into apps.dns_records (subdomain, organization, app_id, state, next_attempt_at)
      select subdomain, organization, id, 'pending', now() from apps.apps`);
    await runner.query(`
      insert into apps.dns_records (subdomain, organization, state, next_attempt_at)
      select subdomain, organization, 'pending', now() from apps.dangling_subdomains
      on conflict do nothing`);
    await runner.query('alter table apps.apps drop dns_status, drop dns_error');
    await runner.query('drop table apps.dangling_subdomains');
    await runner.query(`
      create table apps.idempotency_keys (
        organization text not null,
        key text not null,
        fingerprint text not null,
        app_id uuid,
        status integer,
        body jsonb check ((body is null) = (status is null)),
        locked_until timestamptz not null,
        created_at timestamptz not null default now(),
        primary key (organization, key)
      )`);
    await runner.query('create index idempotency_keys_age_idx on apps.idempotency_keys (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.apps add dns_status text not null default 'dns-pending', add dns_error jsonb`);
    await runner.query(`
      create table apps.dangling_subdomains (
        subdomain text primary key, organization text not null, since timestamptz not null default now())`);
    await runner.query('drop table apps.dns_records, apps.idempotency_keys');
  }
}
