import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Numbers the deploys of each app, stores their sources and whether they were held back, and counts their problems. */
export class NumberedDeploys1764800000200 implements MigrationInterface {
  readonly name = 'NumberedDeploys1764800000200';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table apps.apps add column last_deploy_number integer not null default 0');
    await runner.query(`
      alter table apps.deploys
        add column number integer check (number > 0),
        add column source jsonb,
        add column held_back boolean not null default false,
        add column problem_count integer not null generated always as (jsonb_array_length(problems)) stored,
        add column lacks_start_page boolean not null
          generated always as (problems @> '[{"path": "index.html", "line": null}]') stored`);
    await runner.query(`
      update apps.deploys set number = numbered.number
      from (select id, row_number() over (partition by app_id order by created_at, id) as number
        from apps.deploys) numbered
      where deploys.id = numbered.id`);
    await runner.query(`
      update apps.apps set last_deploy_number = used.number
      from (select app_id, max(number) as number from apps.deploys group by app_id) used
      where apps.id = used.app_id`);
    await runner.query(`
      alter table apps.deploys
        alter column number set not null,
        add constraint deploys_number_key unique (app_id, number)`);
    // A trigger, because instances of the previous version insert deploys without a number during an upgrade.
    await runner.query(`
      create function apps.number_deploy() returns trigger language plpgsql as
      $$ begin
        update apps.apps set last_deploy_number = last_deploy_number + 1
        where id = new.app_id returning last_deploy_number into new.number;
        return new;
      end $$`);
    await runner.query(`
      create trigger deploys_number before insert on apps.deploys
      for each row execute function apps.number_deploy()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger deploys_number on apps.deploys');
    await runner.query('drop function apps.number_deploy()');
    await runner.query(
      'alter table apps.deploys drop column number, drop column source, drop column held_back, drop column problem_count, drop column lacks_start_page',
    );
    await runner.query('alter table apps.apps drop column last_deploy_number');
  }
}
