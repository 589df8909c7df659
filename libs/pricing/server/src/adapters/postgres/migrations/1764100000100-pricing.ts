import { readFile } from 'node:fs/promises';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const PUBLISHED = new URL('../../../../../catalog/published/', import.meta.url);
/** The hash of the first statement. The migration fails if the statement's file has changed. */
const FIRST_SHA256 = '0e1af31a0b0b2f3fceca22f306674f75b1d3464cc5a60b9c487a295856253348';

export class Pricing1764100000100 implements MigrationInterface {
  readonly name = 'Pricing1764100000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema pricing');
    await runner.query(`
      create function pricing.refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'what was published or charged is never changed'; end $$`);
    await createRevisions(runner);
    await createCharges(runner);
    for (const table of ['revisions', 'charges', 'charge_lines']) {
      await runner.query(`
        create trigger ${table}_stay before update or delete or truncate on pricing.${table}
        for each statement execute function pricing.refuse_change()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema pricing cascade');
  }
}

async function createRevisions(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table pricing.revisions (
      id bigint generated always as identity primary key,
      version text not null unique check (version ~ '^\\d{4}-\\d{2}-\\d{2}(\\.\\d+)?$'),
      effective_at timestamptz not null,
      prices_from timestamptz,
      source jsonb not null,
      body bytea not null,
      sha256 bytea not null,
      published_at timestamptz not null,
      published_by text not null,
      constraint revisions_hash check (sha256 = sha256(body)),
      constraint revisions_own_body check (convert_from(body, 'UTF8')::jsonb ->> 'version' = version),
      constraint revisions_not_back_dated check (effective_at >= published_at),
      constraint revisions_announced check (prices_from >= published_at + interval '600 seconds')
    )`);
  await runner.query('create index revisions_effect_idx on pricing.revisions (effective_at, id)');
  await runner.query(
    `insert into pricing.revisions (version, effective_at, source, body, sha256, published_at, published_by)
     values ('2026-10-01', '2026-10-01T00:00:00Z', $1, convert_to($2, 'UTF8'), decode($3, 'hex'), '2026-10-01T00:00:00Z', 'homeport')`,
    [await published('2026-10-01.source'), await published('2026-10-01.statement'), FIRST_SHA256],
  );
  // From now on, the clock of the database sets the publication time.
  await runner.query(`
    create function pricing.note_publication() returns trigger language plpgsql as
    $$ begin new.published_at := clock_timestamp(); return new; end $$`);
  await runner.query(`
    create trigger revisions_published before insert on pricing.revisions
    for each row execute function pricing.note_publication()`);
}

async function createCharges(runner: QueryRunner): Promise<void> {
  await runner.query(`
    create table pricing.charges (
      id uuid primary key default gen_random_uuid(),
      account text not null,
      account_created_at timestamptz not null,
      period text not null check (period ~ '^\\d{4}-(0[1-9]|1[0-2])$'),
      revision text not null references pricing.revisions (version),
      card text not null,
      included_usd numeric not null check (included_usd >= 0),
      trial_covered_usd numeric not null check (trial_covered_usd >= 0),
      total_usd numeric not null check (total_usd >= 0),
      charged_at timestamptz not null default clock_timestamp(),
      constraint charges_once_a_month unique (account, period)
    )`);
  await runner.query(`
    create table pricing.charge_lines (
      charge uuid not null references pricing.charges (id),
      line integer not null check (line >= 0),
      item text not null,
      label text not null,
      unit text not null,
      quantity numeric not null check (quantity >= 0),
      unit_usd numeric not null check (unit_usd >= 0),
      amount_usd numeric not null,
      is_waived boolean not null,
      primary key (charge, line),
      constraint charge_lines_amount check (
        case when is_waived then amount_usd = 0 else abs(amount_usd - quantity * unit_usd) <= 0.005 end
      )
    )`);
}

/** Removes the whitespace that makes the files readable; the published statement has none. */
async function published(name: string): Promise<string> {
  return JSON.stringify(JSON.parse(await readFile(new URL(`${name}.json`, PUBLISHED), 'utf8')));
}
