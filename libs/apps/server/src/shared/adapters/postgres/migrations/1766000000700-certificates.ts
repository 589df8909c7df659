import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores certificates for the edges, and the answers to challenges of certificate authorities. */
export class Certificates1766000000700 implements MigrationInterface {
  readonly name = 'Certificates1766000000700';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.certificates (
        id uuid primary key,
        -- The claim that it was ordered for; null for the certificate of the platform domain.
        claim_id uuid references apps.domain_claims (id) on delete cascade,
        -- Host names in lower case, also of the form *.example.com.
        names text[] not null check (cardinality(names) > 0),
        -- PEM, the certificate of the names first.
        chain text not null,
        -- The private key in PEM, sealed with the context certificate\\n{id}.
        sealed_key bytea not null,
        not_before timestamptz not null,
        not_after timestamptz not null,
        renew_at timestamptz not null,
        serial text not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index certificates_names_idx on apps.certificates using gin (names)');
    await runner.query('create index certificates_renew_at_idx on apps.certificates (renew_at)');
    await runner.query('create index certificates_claim_idx on apps.certificates (claim_id)');
    await runner.query(`
      create table apps.challenge_answers (
        name text not null,
        type text not null check (type in ('http-01', 'tls-alpn-01', 'dns-01')),
        -- Empty for tls-alpn-01 and dns-01, which have no token in their request.
        token text not null,
        -- The key authorization; for dns-01 the value of the TXT record.
        value text not null,
        expires_at timestamptz not null,
        primary key (name, type, token, value)
      )`);
    await runner.query('create index challenge_answers_expires_at_idx on apps.challenge_answers (expires_at)');
    await this.#notifyEdges(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table apps.challenge_answers');
    await runner.query('drop table apps.certificates');
    await runner.query('drop function apps.notify_certificate()');
  }

  /** Notifies the edges with each name whose certificate changed. */
  async #notifyEdges(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function apps.notify_certificate() returns trigger language plpgsql as
      $$ declare name text;
      begin
        foreach name in array case when tg_op = 'DELETE' then old.names else new.names end loop
          perform pg_notify('homeport_certificates', name);
        end loop;
        return null;
      end $$`);
    await runner.query(`
      create trigger certificates_notify after insert or update or delete on apps.certificates
      for each row execute function apps.notify_certificate()`);
  }
}
