import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a provider did not answer may still happen: such names are looked at again. */
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
