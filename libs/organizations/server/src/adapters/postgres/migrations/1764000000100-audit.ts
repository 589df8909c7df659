import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Audit1764000000100 implements MigrationInterface {
  readonly name = 'Audit1764000000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema platform');
    await runner.query(`
      create table platform.audit_events (
        id bigint generated always as identity primary key,
        at timestamptz not null default clock_timestamp(),
        organization text not null,
        issuer text not null,
        subject text not null,
        action text not null,
        target text not null,
        detail jsonb not null
      )`);
    await runner.query('create index audit_events_organization_idx on platform.audit_events (organization, id)');
    await runner.query(`
      create function platform.refuse_change() returns trigger language plpgsql as
      $$ begin raise exception 'audit events are never changed'; end $$`);
    await runner.query(`
      create trigger audit_events_stay before update or delete or truncate on platform.audit_events
      for each statement execute function platform.refuse_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema platform cascade');
  }
}
