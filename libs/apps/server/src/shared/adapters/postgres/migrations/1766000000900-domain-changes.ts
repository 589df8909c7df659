import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The columns on which the addresses of apps depend. */
const ADDRESS_COLUMNS = [
  'app_id',
  'verified_at',
  'suspended_at',
  'released_at',
  'routing',
  'is_primary',
  'redirect_to',
] as const;

const rowOf = (prefix: string) => `(${ADDRESS_COLUMNS.map((name) => `${prefix}.${name}`).join(', ')})`;

/** Notifies the API about changed domains, and about the apps whose addresses changed with them. */
export class DomainChanges1766000000900 implements MigrationInterface {
  readonly name = 'DomainChanges1766000000900';

  async up(runner: QueryRunner): Promise<void> {
    // Without an app, the addresses of all apps of the organization changed.
    await runner.query(`
      create function apps.notify_domain_change() returns trigger language plpgsql as
      $$ begin
        perform pg_notify('homeport_app_changes', json_build_object(
          'organization', new.organization, 'domainId', new.id)::text);
        if tg_op = 'UPDATE' and ${rowOf('old')} is distinct from ${rowOf('new')} then
          perform pg_notify('homeport_app_changes', json_build_object(
            'organization', new.organization, 'appId', new.app_id)::text);
        end if;
        return null;
      end $$`);
    await runner.query(`
      create trigger domain_claims_notify_insert after insert on apps.domain_claims
      for each row execute function apps.notify_domain_change()`);
    // Instances lease a check by the time of the next one, which is no news.
    await runner.query(`
      create trigger domain_claims_notify_change after update on apps.domain_claims
      for each row when (to_jsonb(old) - 'next_check_at' is distinct from to_jsonb(new) - 'next_check_at')
      execute function apps.notify_domain_change()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger domain_claims_notify_change on apps.domain_claims');
    await runner.query('drop trigger domain_claims_notify_insert on apps.domain_claims');
    await runner.query('drop function apps.notify_domain_change()');
  }
}
