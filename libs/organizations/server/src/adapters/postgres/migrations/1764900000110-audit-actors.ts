import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the name of the actor. Earlier events were all caused by people. */
export class AuditActors1764900000110 implements MigrationInterface {
  readonly name = 'AuditActors1764900000110';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table platform.audit_events
        add credential text,
        add actor text not null generated always as (coalesce(credential, 'person:' || subject)) stored`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table platform.audit_events drop actor, drop credential');
  }
}
