import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which variables the start check of a deploy uses. */
export class StartScope1766000000500 implements MigrationInterface {
  readonly name = 'StartScope1766000000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.deploys add column start_scope text not null default 'production'
        constraint deploys_start_scope_check check (start_scope in ('production', 'preview'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.deploys drop column start_scope');
  }
}
