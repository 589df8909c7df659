import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the names that an organization released last. */
export class FormerOwnersByOrganization1764420000200 implements MigrationInterface {
  readonly name = 'FormerOwnersByOrganization1764420000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('create index former_owners_organization_idx on apps.former_owners (organization, released_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index apps.former_owners_organization_idx');
  }
}
