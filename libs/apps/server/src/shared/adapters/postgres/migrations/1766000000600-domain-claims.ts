import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which organizations claim which domains, and when they are charged for them. */
export class DomainClaims1766000000600 implements MigrationInterface {
  readonly name = 'DomainClaims1766000000600';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.domain_claims (
        id uuid primary key,
        organization text not null,
        kind text not null check (kind in ('hostname', 'base')),
        name text not null,
        -- The registered domain above the name, or the name itself. Claims below it are verified one after the other.
        registrable_domain text not null,
        app_id uuid references apps.apps (id) on delete set null,
        token text not null,
        created_at timestamptz not null,
        verified_at timestamptz,
        failing_since timestamptz,
        noticed_at timestamptz,
        checked_at timestamptz,
        suspended_at timestamptz,
        released_at timestamptz,
        routing text not null check (routing in ('unknown', 'here', 'elsewhere', 'partly')),
        certificate text not null check (certificate in ('none', 'ordering', 'active', 'renewing', 'failed')),
        is_primary boolean not null,
        redirect_to text,
        price_usd numeric not null,
        card_version text not null,
        next_check_at timestamptz,
        -- What the last check saw.
        records jsonb not null
      )`);
    await this.#createIndexes(runner);
    await this.#notifyEdges(runner);
    await runner.query(`
      create table apps.domain_periods (
        id bigint generated always as identity primary key,
        claim_id uuid not null,
        organization text not null,
        kind text not null check (kind in ('hostname', 'base')),
        name text not null,
        started_at timestamptz not null,
        ended_at timestamptz
      )`);
    await runner.query(
      'create unique index domain_periods_open_key on apps.domain_periods (claim_id) where ended_at is null',
    );
    await runner.query(
      'create index domain_periods_organization_idx on apps.domain_periods (organization, started_at)',
    );
  }

  /** Notifies the edges with the domain that changed. */
  async #notifyEdges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function apps.notify_domain() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', new.name);
        return null;
      end $$`);
    await runner.query(`
      create trigger domain_claims_notify
      after update of app_id, verified_at, suspended_at, released_at, redirect_to on apps.domain_claims
      for each row when ((old.app_id, old.verified_at, old.suspended_at, old.released_at, old.redirect_to)
        is distinct from (new.app_id, new.verified_at, new.suspended_at, new.released_at, new.redirect_to))
      execute function apps.notify_domain()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table apps.domain_periods');
    await runner.query('drop table apps.domain_claims');
    await runner.query('drop function apps.notify_domain()');
  }

  async #createIndexes(runner: QueryRunner): Promise<void> {
    // One owner for each name, and one claim of each organization.
    await runner.query(`
      create unique index domain_claims_owner_key on apps.domain_claims (name)
      where verified_at is not null and released_at is null`);
    await runner.query(`
      create unique index domain_claims_own_key on apps.domain_claims (organization, name) where released_at is null`);
    await runner.query(
      'create index domain_claims_registrable_domain_idx on apps.domain_claims (registrable_domain) where released_at is null',
    );
    await runner.query(`
      create index domain_claims_due_idx on apps.domain_claims (next_check_at) where next_check_at is not null`);
    await runner.query('create index domain_claims_app_idx on apps.domain_claims (app_id)');
  }
}
