import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CHART } from './helm.ts';
import { configurationOf, PROGRAMS, READ_BY_SDK } from './program-configuration.ts';

const textOf = (path: string) => readFileSync(resolve(CHART, path), 'utf8');

describe('the values of the Helm chart', () => {
  const schema = JSON.parse(textOf('values.schema.json')) as Schema;
  const namesAt = (...path: string[]) =>
    Object.keys(path.reduce<Schema>((at, name) => at.properties?.[name] ?? {}, schema).properties ?? {});

  it.each(PROGRAMS)('cover every variable of %s', async (program) => {
    const { known } = await configurationOf(program);
    const keys = schema.properties?.['secret']?.properties?.['keys']?.items?.enum ?? [];
    const secrets = ['DATABASE_URL', 'SESSION_KEYS', 'SECRETS_KEYS', ...keys];
    const possible = [...namesAt('settings', 'shared'), ...namesAt('settings', program), ...secrets, ...SET_BY_CHART];
    expect(known.filter((name) => !possible.includes(name))).toEqual([]);
    const read = [...known, ...(READ_BY_SDK[program] ?? [])];
    expect(namesAt('settings', program).filter((name) => !read.includes(name))).toEqual([]);
  });

  it('are documented, each in a row', () => {
    const rows = [...textOf('README.md').matchAll(/^\| `([\w.]+)`/gm)].map(([, name = '']) => name);
    const leaves = leavesOf(parse(textOf('values.yaml')) as object);
    expect(rows.toSorted()).toEqual(leaves.toSorted());
    expect(parse(textOf('Chart.yaml'))).toMatchObject({
      version: (JSON.parse(readFileSync(join(CHART, '../../../package.json'), 'utf8')) as { version: string }).version,
    });
  });
});

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
}

/** Variables that the chart or the image sets, or that only another kind of installation has. */
const SET_BY_CHART = [
  ...[
    'PORT',
    'EDGE_PORT',
    'EDGE_TLS_PORT',
    'HOST',
    'MANAGEMENT_PORT',
    'MANAGEMENT_HOST',
    'CLIENT_DIR',
    'USAGE_SPOOL_DIR',
  ],
  ...['RUNTIME', 'RUNTIME_DIR', 'RUNTIME_SANDBOX', 'RUNTIME_NODE', 'NODE_ENV'],
];
/** The paths of all values. Maps that operators fill are one value, empty or not. */
function leavesOf(values: object, prefix = ''): string[] {
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null && Object.keys(value).length > 0 && name !== 'resources'
      ? leavesOf(value, `${prefix}${name}.`)
      : [`${prefix}${name}`],
  );
}
