import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the columns for the list of a person's sessions and the index for idle sessions. */
export class SessionList1763700000100 implements MigrationInterface {
  readonly name = 'SessionList1763700000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table identity.sessions
        add subject text not null generated always as (person ->> 'sub') stored,
        add device text not null default '',
        add last_used_at timestamptz not null default now()`);
    await runner.query('create index sessions_subject_idx on identity.sessions (subject)');
    await runner.query('create index sessions_last_used_idx on identity.sessions (last_used_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table identity.sessions drop subject, drop device, drop last_used_at');
  }
}
