import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores which deploy the alias of a branch shows, and notifies the edges. */
export class BranchAliases1764900000200 implements MigrationInterface {
  readonly name = 'BranchAliases1764900000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.aliases (
        label text primary key,
        app_id uuid not null references apps.apps (id) on delete cascade,
        deploy_id uuid not null references apps.deploys (id) on delete cascade
      )`);
    await runner.query('create index aliases_app_idx on apps.aliases (app_id)');
    await runner.query('create index aliases_deploy_idx on apps.aliases (deploy_id)');
    await runner.query(`
      create function apps.tell_alias() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', coalesce(new.label, old.label));
        return null;
      end $$`);
    await runner.query(`
      create trigger aliases_tell after insert or update or delete on apps.aliases
      for each row execute function apps.tell_alias()`);
    await this.#notifyDeploys(
      runner,
      `perform pg_notify('homeport_sites', label) from apps.aliases where deploy_id = new.id;`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.#notifyDeploys(runner, '');
    await runner.query('drop table apps.aliases');
    await runner.query('drop function apps.tell_alias()');
  }

  /** @param more statements that notify about further hosts of a changed deploy. */
  async #notifyDeploys(runner: QueryRunner, more: string): Promise<void> {
    await runner.query(`
      create or replace function apps.tell_deploy() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', 'pv--' || replace(new.id::text, '-', ''));
        ${more}
        return null;
      end $$`);
  }
}
