import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Ajv } from 'ajv';
import { UsageError } from './cli.errors';
import { readProject } from './project-file';

const SCHEMA = join(import.meta.dirname, '../homeport.schema.json');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-project-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function schemaAccepts(value: unknown): Promise<boolean> {
  return new Ajv().validate(JSON.parse(await readFile(SCHEMA, 'utf8')) as object, value);
}

const write = (text: string) => writeFile(join(folder, 'homeport.json'), text);

describe('homeport.json', () => {
  it.each([
    [{}, {}],
    [{ app: 'my-shop' }, { app: 'my-shop' }],
    [{ $schema: './homeport.schema.json', app: 'my-shop' }, { app: 'my-shop' }],
  ])('may be %j, also for its schema', async (value, project) => {
    await write(JSON.stringify(value));
    expect(await readProject(folder)).toEqual(project);
    expect(await schemaAccepts(value)).toBe(true);
  });

  it.each([[], 'x', null, { app: '' }, { app: 7 }, { directory: ['dist'] }, { apps: 'my-shop' }, { $schema: 7 }])(
    'is rejected as %j, also by its schema',
    async (value) => {
      await write(JSON.stringify(value));
      await expect(readProject(folder)).rejects.toBeInstanceOf(UsageError);
      expect(await schemaAccepts(value)).toBe(false);
    },
  );

  it('is rejected when it is not JSON', async () => {
    await write('{ app: "x" }');
    await expect(readProject(folder)).rejects.toThrow('is not a JSON object');
  });

  it('applies in subfolders; its directory is relative to the file', async () => {
    await write(JSON.stringify({ app: 'my-shop', directory: 'dist' }));
    await mkdir(join(folder, 'src/pages'), { recursive: true });
    const expected = { app: 'my-shop', directory: join(folder, 'dist') };
    expect(await readProject(join(folder, 'src/pages'))).toEqual(expected);
  });
});
