import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the tokens and the trusts of pipelines. */
export class Tokens1764900000100 implements MigrationInterface {
  readonly name = 'Tokens1764900000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table identity.trusts (
        id uuid primary key,
        organization text not null,
        app_id uuid not null,
        issuer text not null,
        claims jsonb not null,
        scopes text[] not null,
        created_by text not null,
        created_at timestamptz not null,
        last_used_at timestamptz
      )`);
    await runner.query('create index trusts_app_idx on identity.trusts (app_id, issuer)');
    await runner.query(`
      create table identity.tokens (
        id uuid primary key,
        hash bytea not null constraint tokens_hash_key unique check (octet_length(hash) = 32),
        kind text not null check (kind in ('organization', 'personal', 'ci')),
        name text not null,
        organization text check (organization is not null or kind = 'personal'),
        issuer text not null,
        subject text not null,
        created_by text not null,
        scopes text[] not null check (cardinality(scopes) > 0),
        app_id uuid check (app_id is not null or kind <> 'ci'),
        prefix text,
        trust_id uuid check ((trust_id is not null) = (kind = 'ci')),
        created_at timestamptz not null,
        expires_at timestamptz check (expires_at is not null or kind <> 'ci'),
        last_used_at timestamptz
      )`);
    await runner.query(
      `create index tokens_organization_idx on identity.tokens (organization, created_at) where kind = 'organization'`,
    );
    await runner.query(
      `create index tokens_person_idx on identity.tokens (subject, created_at) where kind = 'personal'`,
    );
    await runner.query(`create index tokens_trust_idx on identity.tokens (trust_id) where kind = 'ci'`);
    await runner.query(`create index tokens_expiry_idx on identity.tokens (expires_at) where kind = 'ci'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table identity.tokens, identity.trusts');
  }
}
