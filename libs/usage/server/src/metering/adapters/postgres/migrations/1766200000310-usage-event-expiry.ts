import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Allows the removal of events that are too old to be reported again. */
export class UsageEventExpiry1766200000310 implements MigrationInterface {
  readonly name = 'UsageEventExpiry1766200000310';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create or replace trigger events_stay before update or truncate on usage.events
      for each statement execute function usage.refuse_change()`);
    await runner.query(`
      create function usage.refuse_early_removal() returns trigger language plpgsql as $$
      begin
        if exists (select from removed where occurred_at > clock_timestamp() - interval '62 days') then
          raise exception 'events of the last 62 days are not removed, because they can be reported again';
        end if;
        return null;
      end $$`);
    await runner.query(`
      create trigger events_expire after delete on usage.events referencing old table as removed
      for each statement execute function usage.refuse_early_removal()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger events_expire on usage.events');
    await runner.query('drop function usage.refuse_early_removal');
    await runner.query(`
      create or replace trigger events_stay before update or delete or truncate on usage.events
      for each statement execute function usage.refuse_change()`);
  }
}
