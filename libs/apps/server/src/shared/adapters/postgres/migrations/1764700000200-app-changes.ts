import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notifies the API about changed apps, for the clients that show them. */
export class AppChanges1764700000200 implements MigrationInterface {
  readonly name = 'AppChanges1764700000200';

  async up(runner: QueryRunner): Promise<void> {
    // PostgreSQL sends equal notifications of one transaction once.
    await runner.query(`
      create function apps.notify_app_change() returns trigger language plpgsql as
      $$ declare
        changed jsonb := to_jsonb(coalesce(new, old));
      begin
        perform pg_notify('homeport_app_changes', json_build_object(
          'organization', changed->>'organization',
          'appId', coalesce(changed->>'app_id', changed->>'id'))::text);
        return null;
      end $$`);
    await runner.query(`
      create trigger apps_notify_change after insert or update or delete on apps.apps
      for each row execute function apps.notify_app_change()`);
    await runner.query(`
      create trigger deploys_notify_change after insert or update of status, deleted_at on apps.deploys
      for each row execute function apps.notify_app_change()`);
    await runner.query(`
      create trigger dns_records_notify_change after update of state on apps.dns_records
      for each row when (new.app_id is not null and old.state <> new.state) execute function apps.notify_app_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger dns_records_notify_change on apps.dns_records');
    await runner.query('drop trigger deploys_notify_change on apps.deploys');
    await runner.query('drop trigger apps_notify_change on apps.apps');
    await runner.query('drop function apps.notify_app_change()');
  }
}
