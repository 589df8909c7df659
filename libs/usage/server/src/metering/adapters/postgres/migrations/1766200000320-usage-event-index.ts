import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds events that are too old to be reported again. The table can be large, so writes must continue meanwhile. */
export class UsageEventIndex1766200000320 implements MigrationInterface {
  readonly name = 'UsageEventIndex1766200000320';
  /** PostgreSQL builds no index concurrently in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted attempt leaves an invalid index.
    await runner.query('drop index concurrently if exists usage.events_occurred_idx');
    await runner.query('create index concurrently events_occurred_idx on usage.events (occurred_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists usage.events_occurred_idx');
  }
}
