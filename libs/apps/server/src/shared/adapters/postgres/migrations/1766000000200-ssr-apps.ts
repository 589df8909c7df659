import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the servers of deploys, the environment of apps, and what the runtime reports. */
export class SsrApps1766000000200 implements MigrationInterface {
  readonly name = 'SsrApps1766000000200';

  async up(runner: QueryRunner): Promise<void> {
    await this.#addServers(runner);
    await this.#createEnvironment(runner);
    await this.#createRuntime(runner);
    await this.#notifyEdges(runner);
    await this.#notifyRuntimes(runner);
    await this.#notifyStates(runner);
  }

  async #addServers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table apps.deploys
        add column framework text,
        add column server jsonb,
        drop constraint deploys_status_check,
        drop constraint deploys_check,
        add constraint deploys_status_check
          check (status in ('uploading', 'processing', 'starting', 'ready', 'failed', 'archived')),
        add constraint deploys_lease_check
          check ((status in ('uploading', 'processing', 'starting')) = (lease_until is not null)),
        add constraint deploys_server_check check (status <> 'starting' or server is not null)`);
    // A static file is served at `path`; `bundle_path` is where the server expects it, if that differs.
    await runner.query(`
      alter table apps.deploy_files
        add column role text not null default 'static' check (role in ('static', 'server')),
        add column bundle_path text,
        drop constraint deploy_files_pkey,
        add primary key (deploy_id, path, role)`);
    await runner.query('alter table apps.apps add column runtime_version integer not null default 1');
  }

  async #createEnvironment(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.environment_variables (
        app_id uuid not null references apps.apps (id) on delete cascade,
        name text not null,
        scope text not null check (scope in ('all', 'production', 'preview')),
        sealed bytea not null,
        -- Of the name and the value.
        bytes integer not null default 0,
        updated_at timestamptz not null default clock_timestamp(),
        updated_by text not null,
        primary key (app_id, name)
      )`);
  }

  /** Runtimes write these tables, the API reads them. */
  async #createRuntime(runner: QueryRunner): Promise<void> {
    await runner.query('create schema runtime');
    await runner.query(`
      create table runtime.start_checks (
        deploy_id uuid primary key references apps.deploys (id) on delete cascade,
        passed boolean not null,
        reason text,
        log jsonb not null default '[]',
        finished_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table runtime.instances (
        id uuid primary key,
        runtime_id uuid not null,
        app_id uuid not null,
        deploy_id uuid not null,
        state text not null check (state in ('launching', 'ready', 'frozen', 'draining', 'stopped', 'crashed')),
        started_at timestamptz not null,
        memory_bytes bigint not null default 0,
        requests bigint not null default 0,
        seen_at timestamptz not null default now()
      )`);
    await runner.query('create index instances_app_idx on runtime.instances (app_id)');
    await runner.query('create index instances_seen_idx on runtime.instances (seen_at)');
    await runner.query(`
      create table runtime.app_states (
        app_id uuid primary key,
        state text not null check (state in ('none', 'starting', 'ready', 'idle', 'crash-loop')),
        reason text,
        changed_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table runtime.log_lines (
        id bigint generated always as identity primary key,
        app_id uuid not null,
        deploy_id uuid not null,
        instance_id uuid not null,
        at timestamptz not null,
        stream text not null check (stream in ('stdout', 'stderr', 'system')),
        line text not null
      )`);
    await runner.query('create index log_lines_app_idx on runtime.log_lines (app_id, id)');
    await runner.query('create index log_lines_at_idx on runtime.log_lines (at)');
  }

  /** Edges cache the version of the environment with each site, previews included. */
  async #notifyEdges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function apps.tell_runtime_version() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', new.subdomain);
        perform pg_notify('homeport_sites', 'pv--' || replace(id::text, '-', ''))
          from apps.deploys where app_id = new.id and status = 'ready' and server is not null;
        perform pg_notify('homeport_sites', label) from apps.aliases where app_id = new.id;
        return null;
      end $$`);
    await runner.query(`
      create trigger apps_tell_runtime_version after update of runtime_version on apps.apps
      for each row execute function apps.tell_runtime_version()`);
  }

  async #notifyRuntimes(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function apps.notify_runtime() returns trigger language plpgsql as
      $$ declare
        changed jsonb := to_jsonb(coalesce(new, old));
      begin
        perform pg_notify('homeport_runtime', tg_argv[0] || ':' || (changed->>tg_argv[1]));
        return null;
      end $$`);
    await runner.query(`
      create trigger deploys_notify_starting after update of status on apps.deploys for each row
      when (new.status = 'starting' and old.status <> 'starting')
      execute function apps.notify_runtime('starting', 'id')`);
    await runner.query(`
      create trigger deploys_notify_runtime after update of status on apps.deploys for each row
      when (new.server is not null and (old.status = 'ready') <> (new.status = 'ready'))
      execute function apps.notify_runtime('app', 'app_id')`);
    await runner.query(`
      create trigger apps_notify_runtime after update of runtime_version, active_deploy_id on apps.apps for each row
      when (new.type = 'ssr' and (old.runtime_version, old.active_deploy_id)
        is distinct from (new.runtime_version, new.active_deploy_id))
      execute function apps.notify_runtime('app', 'id')`);
    await runner.query(`
      create trigger apps_notify_runtime_deleted after delete on apps.apps for each row when (old.type = 'ssr')
      execute function apps.notify_runtime('app', 'id')`);
  }

  async #notifyStates(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create trigger start_checks_notify after insert or update on runtime.start_checks
      for each row execute function apps.notify_runtime('checked', 'deploy_id')`);
    // Clients that show the app read it again as well.
    await runner.query(`
      create function apps.notify_runtime_state() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_runtime', 'state:' || new.app_id);
        perform pg_notify('homeport_app_changes', json_build_object('organization', organization, 'appId', id)::text)
          from apps.apps where id = new.app_id;
        return null;
      end $$`);
    await runner.query(`
      create trigger app_states_notify after insert or update on runtime.app_states
      for each row execute function apps.notify_runtime_state()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema runtime cascade');
    await runner.query('drop table apps.environment_variables');
    await runner.query('drop trigger deploys_notify_starting on apps.deploys');
    await runner.query('drop trigger deploys_notify_runtime on apps.deploys');
    await runner.query('drop trigger apps_notify_runtime on apps.apps');
    await runner.query('drop trigger apps_notify_runtime_deleted on apps.apps');
    await runner.query('drop trigger apps_tell_runtime_version on apps.apps');
    await runner.query('drop function apps.notify_runtime(), apps.notify_runtime_state(), apps.tell_runtime_version()');
    await runner.query('alter table apps.apps drop column runtime_version');
    await this.#removeServers(runner);
  }

  /** Previous versions serve every file of a deploy, so deploys with a server are removed. */
  async #removeServers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update apps.apps set active_deploy_id = null
      where active_deploy_id in (select id from apps.deploys where server is not null)`);
    await runner.query('delete from apps.deploys where server is not null');
    await runner.query(`
      alter table apps.deploy_files
        drop constraint deploy_files_pkey, drop column role, drop column bundle_path, add primary key (deploy_id, path)`);
    await runner.query(`
      alter table apps.deploys
        drop constraint deploys_server_check, drop constraint deploys_lease_check, drop constraint deploys_status_check,
        drop column framework, drop column server,
        add constraint deploys_status_check check (status in ('uploading', 'processing', 'ready', 'failed', 'archived')),
        add constraint deploys_check check ((status in ('uploading', 'processing')) = (lease_until is not null))`);
  }
}
