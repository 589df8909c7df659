import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the manifests of deploys that are uploaded by digest. */
export class DeployManifests1764900000201 implements MigrationInterface {
  readonly name = 'DeployManifests1764900000201';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table apps.manifests (
        deploy_id uuid primary key references apps.deploys (id) on delete cascade,
        organization text not null
      )`);
    await runner.query('create index manifests_organization_idx on apps.manifests (organization)');
    // The digest comes before the path, because each blob that arrives is looked up by its digest.
    await runner.query(`
      create table apps.manifest_files (
        deploy_id uuid not null references apps.manifests (deploy_id) on delete cascade,
        digest bytea not null check (octet_length(digest) = 32),
        path text collate "C" not null,
        size bigint not null check (size >= 0),
        primary key (deploy_id, digest, path)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table apps.manifest_files, apps.manifests');
  }
}
