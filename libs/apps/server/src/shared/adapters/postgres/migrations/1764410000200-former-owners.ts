import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records the former owner of a released name, and how long browsers must clear the data that this owner stored. */
export class FormerOwners1764410000200 implements MigrationInterface {
  readonly name = 'FormerOwners1764410000200';

  async up(runner: QueryRunner): Promise<void> {
    // A row exists only while no app has the name: registration removes it.
    await runner.query(`
      create table apps.former_owners (
        subdomain text primary key,
        organization text not null,
        released_at timestamptz not null default clock_timestamp(),
        clears_data_until timestamptz
      )`);
    await runner.query('create index former_owners_released_idx on apps.former_owners (released_at)');
    await runner.query('alter table apps.apps add column clears_data_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.apps drop column clears_data_until');
    await runner.query('drop table apps.former_owners');
  }
}
