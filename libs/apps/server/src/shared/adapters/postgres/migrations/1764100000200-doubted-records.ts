import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a quarantine for names with unanswered changes, which the provider may still apply. */
export class DoubtedRecords1764100000200 implements MigrationInterface {
  readonly name = 'DoubtedRecords1764100000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.dns_records
        -- Until this time an unanswered change may still be applied; null: no change is unanswered.
        add doubted_until timestamptz,
        -- The lowest time to live of unanswered removals; null: no removal is unanswered.
        add least_ttl integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.dns_records drop doubted_until, drop least_ttl');
  }
}
