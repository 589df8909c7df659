import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Records which tokens of pipelines were exchanged, so that each one works once for an app. */
export class ExchangedTokens1766000000400 implements MigrationInterface {
  readonly name = 'ExchangedTokens1766000000400';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table identity.exchanged_tokens (
        digest bytea not null check (octet_length(digest) = 32),
        app_id uuid not null,
        expires_at timestamptz not null,
        primary key (digest, app_id)
      )`);
    await runner.query('create index exchanged_tokens_expiry_idx on identity.exchanged_tokens (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table identity.exchanged_tokens');
  }
}
