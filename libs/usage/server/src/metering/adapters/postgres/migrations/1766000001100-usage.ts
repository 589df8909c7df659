import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the event store, the hourly sums, the closed months, the storage ledger and the budgets. */
export class Usage1766000001100 implements MigrationInterface {
  readonly name = 'Usage1766000001100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema usage');
    await this.#createEvents(runner);
    await this.#createSums(runner);
    await this.#createLedgers(runner);
  }

  async #createEvents(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage.events (
        organization text not null,
        source text not null,
        id text not null,
        item text not null,
        quantity numeric not null check (quantity >= 0),
        occurred_at timestamptz not null,
        -- The month in which the event counts: a later one than that of occurred_at if that was closed.
        period text not null,
        received_at timestamptz not null default clock_timestamp(),
        primary key (organization, source, id)
      )`);
    await runner.query(`
      create function usage.refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'recorded usage is never changed'; end $$`);
    await runner.query(`
      create trigger events_stay before update or delete or truncate on usage.events
      for each statement execute function usage.refuse_change()`);
  }

  async #createSums(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage.hours (
        organization text not null,
        period text not null,
        item text not null,
        hour timestamptz not null,
        -- Of a count, the sum of its events; of a level, the level.
        quantity numeric not null check (quantity >= 0),
        primary key (organization, period, item, hour)
      )`);
    // The levels of an hour, to fill gaps in the measurement.
    await runner.query('create index hours_item_idx on usage.hours (item, hour)');
    await runner.query('create table usage.measured_hours (item text primary key, hour timestamptz not null)');
    await runner.query(`
      create table usage.closed_months (
        period text primary key check (period ~ '^\\d{4}-(0[1-9]|1[0-2])$'),
        closed_at timestamptz not null default clock_timestamp(),
        -- Accounts are charged in the order of their organizations; null before the first one.
        charged_through text,
        charged_at timestamptz
      )`);
  }

  async #createLedgers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage.workspaces (
        workspace text collate "C" primary key,
        organization text not null,
        bytes numeric not null default 0 check (bytes >= 0),
        measured_at timestamptz,
        -- Null when nothing changed since the measurement.
        changed_at timestamptz
      )`);
    await runner.query(
      'create index workspaces_changed_idx on usage.workspaces (workspace) where changed_at is not null',
    );
    await runner.query(`
      create table usage.budgets (
        organization text primary key,
        monthly_usd numeric check (monthly_usd > 0),
        notify_at integer[] not null,
        changed_at timestamptz not null default clock_timestamp(),
        changed_by text not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema usage cascade');
  }
}
