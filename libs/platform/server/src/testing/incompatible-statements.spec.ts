import { describe, expect, it } from '@jest/globals';
import { incompatibleStatements } from './incompatible-statements';

describe('incompatibleStatements', () => {
  it.each([
    'drop table apps.apps',
    'DROP SCHEMA apps CASCADE',
    'truncate apps.apps',
    'drop function apps.tell_app()',
    'alter table apps.apps drop column type',
    'alter table apps.apps drop type',
    'alter table apps.apps add column more text, drop column type',
    'alter table apps.apps rename to programs',
    'alter table apps.apps rename column type to kind',
    'alter table apps.apps set schema other',
    'alter table apps.apps alter column name type varchar(20)',
    'alter table apps.apps alter name set data type varchar(20)',
    'alter table apps.apps alter column name set not null',
    'alter table apps.apps alter column name drop default',
    'alter table apps.apps add column more text not null',
    'alter table apps.apps add more text not null',
    'alter table apps.apps add column one text, add column more text not null',
    'alter table apps.apps add constraint short check (char_length(name) < 10)',
    'alter table apps.apps add unique (name)',
    'create unique index apps_name_idx on apps.apps (name)',
    'create table apps.more (id uuid); -- and then\n drop table apps.apps',
  ])('rejects %s', (sql) => {
    expect(incompatibleStatements(sql)).toHaveLength(1);
  });

  it.each([
    "create table apps.more (id uuid primary key, name text not null unique check (name <> ''))",
    'create index more_name_idx on apps.more (name)',
    'alter table apps.apps add column more text',
    "alter table apps.apps add column more text not null default 'none; drop table apps.apps'",
    'alter table apps.apps add column one integer not null default 0, add column more text',
    'alter table apps.apps add column doubled integer not null generated always as (1) stored',
    'alter table apps.apps drop constraint short',
    'alter table apps.apps alter column name drop not null',
    'alter table apps.apps alter column name set default 0',
    'create function apps.tell() returns trigger language plpgsql as $$ begin delete from apps.more; return new; end $$',
    'drop trigger apps_tell on apps.apps',
    'drop index apps.more_name_idx',
    'update apps.apps set more = name',
    '-- drop table apps.apps\nselect 1',
  ])('accepts %s', (sql) => {
    expect(incompatibleStatements(sql)).toEqual([]);
  });
});
