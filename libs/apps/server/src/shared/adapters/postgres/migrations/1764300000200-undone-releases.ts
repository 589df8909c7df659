import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records which releases were rolled back, so that no later rollback targets them. */
export class UndoneReleases1764300000200 implements MigrationInterface {
  readonly name = 'UndoneReleases1764300000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.releases add column is_undone boolean not null default false');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.releases drop column is_undone');
  }
}
