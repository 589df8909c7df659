import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Deploys1764200000200 implements MigrationInterface {
  readonly name = 'Deploys1764200000200';

  async up(runner: QueryRunner): Promise<void> {
    // No foreign key to the app: deploys outlive it.
    await runner.query(`
      create table apps.deploys (
        id uuid primary key default gen_random_uuid(),
        app_id uuid not null,
        organization text not null,
        status text not null default 'uploading'
          check (status in ('uploading', 'processing', 'ready', 'failed', 'archived')),
        file_count integer not null default 0 check (file_count >= 0),
        total_bytes bigint not null default 0 check (total_bytes >= 0),
        rules jsonb not null default '{"redirects": [], "headers": []}',
        problems jsonb not null default '[]',
        error jsonb,
        created_by text not null,
        created_at timestamptz not null default clock_timestamp(),
        ready_at timestamptz,
        archived_at timestamptz,
        lease_until timestamptz,
        check ((status in ('uploading', 'processing')) = (lease_until is not null)),
        check ((status = 'archived') = (archived_at is not null)),
        check (status <> 'ready' or ready_at is not null),
        check (status <> 'failed' or error is not null)
      )`);
    await runner.query('create index deploys_newest_idx on apps.deploys (app_id, created_at desc, id desc)');
    await runner.query('create index deploys_leases_idx on apps.deploys (lease_until) where lease_until is not null');
    await this.#createBlobs(runner);
    await this.#createReleases(runner);
    await this.#notifyChanges(runner);
  }

  async #createBlobs(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.blobs (
        id uuid primary key default gen_random_uuid(),
        organization text not null,
        digest bytea not null check (octet_length(digest) = 32),
        size bigint not null check (size >= 0),
        br_size bigint,
        gzip_size bigint,
        state text not null default 'storing' check (state in ('storing', 'stored', 'removing')),
        used_at timestamptz not null default now()
      )`);
    // Not unique: two concurrent uploads of the same new bytes store them twice, so that neither waits for the other.
    await runner.query(`create index blobs_digest_idx on apps.blobs (organization, digest) where state = 'stored'`);
    await runner.query('create index blobs_used_idx on apps.blobs (used_at)');
    // No foreign key to the blob either: it may be removed while archived deploys still refer to it, and a lock on the
    // blob of each file would cost a deploy more than all other work.
    await runner.query(`
      create table apps.deploy_files (
        deploy_id uuid not null references apps.deploys (id) on delete cascade,
        path text collate "C" not null,
        size bigint not null,
        content_type text not null,
        digest bytea not null,
        blob_id uuid,
        primary key (deploy_id, path)
      )`);
    await runner.query('create index deploy_files_blob_idx on apps.deploy_files (blob_id) where blob_id is not null');
  }

  async #createReleases(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.releases (
        id bigint generated always as identity primary key,
        app_id uuid not null references apps.apps (id) on delete cascade,
        deploy_id uuid not null references apps.deploys (id) on delete cascade,
        at timestamptz not null default clock_timestamp()
      )`);
    await runner.query('create index releases_app_idx on apps.releases (app_id, id desc)');
    await runner.query(
      'alter table apps.apps add constraint apps_active_deploy_fkey foreign key (active_deploy_id) references apps.deploys (id)',
    );
  }

  /** Notifies the edges with the label of the host that changed. */
  async #notifyChanges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function apps.tell_app() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', coalesce(new.subdomain, old.subdomain));
        return null;
      end $$`);
    await runner.query(`
      create trigger apps_tell after insert or delete or update of active_deploy_id on apps.apps
      for each row execute function apps.tell_app()`);
    await runner.query(`
      create function apps.tell_deploy() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_sites', 'pv--' || replace(new.id::text, '-', ''));
        return null;
      end $$`);
    await runner.query(`
      create trigger deploys_tell after update of status on apps.deploys
      for each row when ((old.status = 'ready') <> (new.status = 'ready')) execute function apps.tell_deploy()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger apps_tell on apps.apps');
    await runner.query('alter table apps.apps drop constraint apps_active_deploy_fkey');
    await runner.query('drop table apps.releases, apps.deploy_files, apps.blobs, apps.deploys');
    await runner.query('drop function apps.tell_app(), apps.tell_deploy()');
  }
}
