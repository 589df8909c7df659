import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Deploys1764200000200 implements MigrationInterface {
  readonly name = 'Deploys1764200000200';

  async up(runner: QueryRunner): Promise<void> {
    // No reference to the app: the records stay when it goes.
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
    await this.#keepBytes(runner);
    await this.#releaseDeploys(runner);
    await this.#tellChanges(runner);
  }

  async #keepBytes(runner: QueryRunner): Promise<void> {
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
    // Not unique: two uploads of the same new bytes at once store them twice, and neither waits for the other.
    await runner.query(`create index blobs_digest_idx on apps.blobs (organization, digest) where state = 'stored'`);
    await runner.query('create index blobs_used_idx on apps.blobs (used_at)');
    // Nor to the blob: it may go while archived deploys still name it, and a lock on each file's blob would cost every
    // deploy more than all the rest.
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

  async #releaseDeploys(runner: QueryRunner): Promise<void> {
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

  /** Whoever serves sites listens, and hears the label of the host that changed. */
  async #tellChanges(runner: QueryRunner): Promise<void> {
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
