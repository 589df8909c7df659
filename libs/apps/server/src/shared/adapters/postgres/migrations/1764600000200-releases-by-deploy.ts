import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the releases of a deploy, which tell when it first went live. */
export class ReleasesByDeploy1764600000200 implements MigrationInterface {
  readonly name = 'ReleasesByDeploy1764600000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index releases_deploy_idx on apps.releases (deploy_id, at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index apps.releases_deploy_idx');
  }
}
