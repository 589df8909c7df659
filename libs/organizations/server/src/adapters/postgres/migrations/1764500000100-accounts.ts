import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the accounts. An organization that is known already has had its account since its first recorded action. */
export class Accounts1764500000100 implements MigrationInterface {
  readonly name = 'Accounts1764500000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema organizations');
    await runner.query(`
      create table organizations.accounts (
        organization text primary key,
        created_at timestamptz not null default clock_timestamp()
      )`);
    await runner.query(`
      insert into organizations.accounts (organization, created_at)
      select organization, min(at) from platform.audit_events
      where action not like 'pricing.%' group by organization`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema organizations cascade');
  }
}
