import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores for which domains edges announce HSTS. */
export class DomainHsts1766000000710 implements MigrationInterface {
  readonly name = 'DomainHsts1766000000710';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.domain_claims add column hsts boolean not null default false');
    await runner.query(`
      create trigger domain_claims_hsts_notify after update of hsts on apps.domain_claims
      for each row when (old.hsts is distinct from new.hsts) execute function apps.notify_domain()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger domain_claims_hsts_notify on apps.domain_claims');
    await runner.query('alter table apps.domain_claims drop column hsts');
  }
}
