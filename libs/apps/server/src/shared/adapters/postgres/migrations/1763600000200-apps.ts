import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Apps1763600000200 implements MigrationInterface {
  readonly name = 'Apps1763600000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema apps');
    await runner.query(`
      create table apps.apps (
        id uuid primary key default gen_random_uuid(),
        organization text not null,
        name text not null check (char_length(name) between 1 and 200),
        subdomain text not null
          constraint apps_subdomain_form check (subdomain ~ '^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$'),
        type text not null check (type in ('static', 'ssr')),
        deploy_count integer not null default 0 check (deploy_count >= 0),
        active_deploy_id uuid,
        dns_status text not null default 'dns-pending'
          check (dns_status in ('dns-pending', 'dns-active', 'dns-failed')),
        dns_error jsonb,
        created_by text not null,
        created_at timestamptz not null default clock_timestamp(),
        constraint apps_subdomain_key unique (subdomain),
        check ((dns_status = 'dns-failed') = (dns_error is not null))
      )`);
    await runner.query('create index apps_newest_idx on apps.apps (organization, created_at desc, id desc)');
    // Subdomains whose CNAME could not be removed: closed to all organizations except the former owner.
    await runner.query(`
      create table apps.dangling_subdomains (
        subdomain text primary key,
        organization text not null,
        since timestamptz not null default now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema apps cascade');
  }
}
