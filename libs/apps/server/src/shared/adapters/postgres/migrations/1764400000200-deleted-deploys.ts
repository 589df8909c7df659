import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets deploys be deleted. Their rows stay until maintenance has removed their files. */
export class DeletedDeploys1764400000200 implements MigrationInterface {
  readonly name = 'DeletedDeploys1764400000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.deploys
        add column deleted_at timestamptz,
        add constraint deploys_deleted_archived check (deleted_at is null or status = 'archived')`);
    await runner.query('create index deploys_deleted_idx on apps.deploys (deleted_at) where deleted_at is not null');
    // Edges compare it to detect that hashed files of earlier deploys were withdrawn.
    await runner.query('alter table apps.apps add column deleted_deploys integer not null default 0');
    await runner.query('drop trigger apps_tell on apps.apps');
    await this.#notifyUpdatesOf(runner, 'active_deploy_id, deleted_deploys');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger apps_tell on apps.apps');
    await this.#notifyUpdatesOf(runner, 'active_deploy_id');
    await runner.query('alter table apps.apps drop column deleted_deploys');
    await runner.query('delete from apps.deploys where deleted_at is not null');
    await runner.query('alter table apps.deploys drop column deleted_at');
  }

  async #notifyUpdatesOf(runner: QueryRunner, columns: string): Promise<void> {
    await runner.query(`
      create trigger apps_tell after insert or delete or update of ${columns} on apps.apps
      for each row execute function apps.tell_app()`);
  }
}
