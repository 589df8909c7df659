import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Creates the counters of shared limits. A crash of PostgreSQL may empty them: that costs a minute of counting. */
export class RateLimits1766100000100 implements MigrationInterface {
  readonly name = 'RateLimits1766100000100';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create unlogged table platform.rate_limits (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table platform.rate_limits');
  }
}
