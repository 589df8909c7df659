import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1763600000100 implements MigrationInterface {
  readonly name = 'Sessions1763600000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create schema identity');
    await runner.query(`
      create table identity.sessions (
        id_hash bytea primary key check (octet_length(id_hash) = 32),
        person jsonb not null,
        access_token text not null,
        access_expires_at timestamptz not null,
        refresh_token text,
        created_at timestamptz not null,
        renewal_until timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema identity cascade');
  }
}
