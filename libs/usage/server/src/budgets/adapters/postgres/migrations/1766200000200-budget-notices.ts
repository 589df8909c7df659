import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the notices of reached percentages of budgets. */
export class BudgetNotices1766200000200 implements MigrationInterface {
  readonly name = 'BudgetNotices1766200000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage.budget_notices (
        id uuid primary key default gen_random_uuid(),
        organization text not null,
        period text not null,
        percent integer not null,
        budget_usd numeric not null,
        total_usd numeric not null,
        reached_at timestamptz not null default clock_timestamp(),
        attempts integer not null default 0,
        -- When the notice is sent next, or another instance may send it; null when it was sent or given up.
        due_at timestamptz default clock_timestamp(),
        sent_at timestamptz,
        constraint budget_notices_once unique (organization, period, budget_usd, percent)
      )`);
    await runner.query('create index budget_notices_unsent_idx on usage.budget_notices (due_at) where sent_at is null');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table usage.budget_notices');
  }
}
