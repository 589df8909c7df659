import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the last action of each person. The audit trail can be large, so writes must continue meanwhile. */
export class AuditedPeople1766200000400 implements MigrationInterface {
  readonly name = 'AuditedPeople1766200000400';
  /** PostgreSQL builds no index concurrently in a transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An interrupted attempt leaves an invalid index.
    await runner.query('drop index concurrently if exists platform.audit_events_people_idx');
    await runner.query(`
      create index concurrently audit_events_people_idx on platform.audit_events (issuer, subject, id desc)
      where issuer <> 'homeport' and action not like 'pricing.%'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently if exists platform.audit_events_people_idx');
  }
}
