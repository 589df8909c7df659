import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Remembers which batches of counted uses are recorded, by process. */
export class UsageDeliveries1766200000300 implements MigrationInterface {
  readonly name = 'UsageDeliveries1766200000300';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table usage.deliveries (
        process text primary key,
        -- The numbers of the recorded batches: one range, unless a batch was rejected.
        batches int8multirange not null default '{}',
        delivered_at timestamptz not null default clock_timestamp()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table usage.deliveries');
  }
}
