import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds a quarantine for names with unanswered changes, which the provider may still apply. */
export class DoubtedRecords1764100000200 implements MigrationInterface {
  readonly name = 'DoubtedRecords1764100000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.dns_records
        -- Until when a change that was sent and never answered may still happen; null: there is none.
        add doubted_until timestamptz,
        -- Removals that may still happen name a shorter time to live; null: there is none.
        add least_ttl integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.dns_records drop doubted_until, drop least_ttl');
  }
}
