import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds corrections, which add to a charge and never change it. */
export class Corrections1766200000100 implements MigrationInterface {
  readonly name = 'Corrections1766200000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table pricing.corrections (
        id bigint generated always as identity primary key,
        charge uuid not null references pricing.charges (id),
        reference text not null check (char_length(reference) between 1 and 100),
        -- The corrected item, with its group; null for a correction of the whole charge.
        item text,
        amount_usd numeric not null check (amount_usd <> 0 and amount_usd = round(amount_usd, 2)),
        reason text not null check (char_length(reason) between 1 and 500),
        corrected_by text not null,
        corrected_at timestamptz not null default clock_timestamp(),
        constraint corrections_once unique (charge, reference)
      )`);
    await runner.query(`
      create trigger corrections_stay before update or delete or truncate on pricing.corrections
      for each statement execute function pricing.refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table pricing.corrections');
  }
}
