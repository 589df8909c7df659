import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the lines of a trial from those after its end, and late quantities. No charge was recorded before. */
export class TrialLines1766000001000 implements MigrationInterface {
  readonly name = 'TrialLines1766000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table pricing.charge_lines
        add column in_trial boolean not null default false,
        add column late_quantity numeric not null default 0 check (late_quantity between 0 and quantity)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table pricing.charge_lines drop column in_trial, drop column late_quantity');
  }
}
