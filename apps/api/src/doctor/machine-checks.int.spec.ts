import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { usageFolderOf } from '../usage/usage-spool';
import { runChecks } from './check';
import { machineChecks } from './machine-checks';
import { lineOf } from './report';

type Settings = Partial<Parameters<typeof machineChecks>[0]>;

const DEFAULTS = {
  HOST: '127.0.0.1',
  MANAGEMENT_HOST: '127.0.0.1',
  MANAGEMENT_PORT: undefined,
  CLIENT_DIR: undefined,
  METERING: 'off',
  USAGE_SPOOL_DIR: undefined,
  DATABASE_URL: 'postgres://homeport:secret@db:5432/homeport',
} as const;

/** @returns the lines of all checks. */
async function linesOf(settings: Settings): Promise<string[]> {
  const lines: string[] = [];
  for await (const report of runChecks(machineChecks({ ...DEFAULTS, ...settings }))) lines.push(lineOf(report, 0));
  return lines;
}

describe('the doctor of the machine', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-machine-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('accepts addresses of this machine', async () => {
    expect(await linesOf({ MANAGEMENT_PORT: 9090, MANAGEMENT_HOST: '0.0.0.0' })).toEqual([
      'ok       host  This machine can listen on 127.0.0.1.',
      'ok       management-host  This machine can listen on 0.0.0.0.',
    ]);
  });

  it.each<[string, Settings, string]>([
    ['HOST', { HOST: '192.0.2.1' }, 'host'],
    ['MANAGEMENT_HOST', { MANAGEMENT_PORT: 9090, MANAGEMENT_HOST: '192.0.2.1' }, 'management-host'],
  ])('names a %s that is an address of another machine', async (variable, settings, name) => {
    expect((await linesOf(settings)).at(-1)).toBe(
      `fault    ${name}  This machine cannot listen on 192.0.2.1 (EADDRNOTAVAIL). Set ${variable} to an address of ` +
        'this machine: 127.0.0.1 behind a proxy on it, or 0.0.0.0 for all.',
    );
  });

  it('looks for the page of the client', async () => {
    const CLIENT_DIR = join(folder, 'client');
    await mkdir(CLIENT_DIR);
    const line = async () => (await linesOf({ CLIENT_DIR }))[1];
    expect(await line()).toBe(
      `fault    client-folder  The client has no page ${CLIENT_DIR}/index.html that this user can read (ENOENT). Build ` +
        'the client, and set CLIENT_DIR to its folder dist/client/browser. Without CLIENT_DIR, the API alone is served.',
    );
    await writeFile(join(CLIENT_DIR, 'index.html'), '');
    expect(await line()).toBe(`ok       client-folder  The client is in ${CLIENT_DIR}.`);
  });

  describe('of the folder for usage', () => {
    const line = async (USAGE_SPOOL_DIR: string) => (await linesOf({ METERING: 'on', USAGE_SPOOL_DIR }))[1];
    const own = (USAGE_SPOOL_DIR: string) => usageFolderOf({ ...DEFAULTS, USAGE_SPOOL_DIR });

    it('creates nothing', async () => {
      const parent = join(folder, 'above');
      await mkdir(parent);
      expect(await line(join(parent, 'usage'))).toBe(
        `ok       usage-folder  The API can create the folder ${own(join(parent, 'usage'))} for usage.`,
      );
      expect(await readdir(parent)).toEqual([]);
    });

    it('writes to a folder that exists, and leaves no file', async () => {
      const parent = join(folder, 'existing');
      await mkdir(own(parent), { recursive: true, mode: 0o700 });
      expect(await line(parent)).toBe(`ok       usage-folder  The API can write usage to ${own(parent)}.`);
      expect(await readdir(own(parent))).toEqual([]);
    });

    it('names a folder with which the API does not start', async () => {
      const parent = join(folder, 'open');
      await mkdir(own(parent), { recursive: true });
      await chmod(own(parent), 0o777);
      expect(await line(parent)).toBe(
        `fault    usage-folder  The folder for usage ${own(parent)} must be a folder of the user of this program, ` +
          'without rights for others. Remove it, or set USAGE_SPOOL_DIR to another folder. Run this command as the user of the API.',
      );
    });

    it('names a path through a file', async () => {
      const file = join(folder, 'file');
      await writeFile(file, '');
      expect(await line(file)).toBe(
        `fault    usage-folder  A part of the path ${own(file)} is a file (ENOTDIR). Correct USAGE_SPOOL_DIR.`,
      );
    });

    it.each([
      ['EACCES', /^This user may not write to \/usage\/\w+ \(EACCES\)\.$/],
      ['EROFS', /^The file system of \/usage\/\w+ is read-only \(EROFS\)\.$/],
      ['ENOSPC', /^The disk of \/usage\/\w+ is full \(ENOSPC\)\.$/],
      ['EIO', /^The folder \/usage\/\w+ for usage cannot be written \(EIO\)\.$/],
    ])('explains %s', (code, detail) => {
      const check = machineChecks({ ...DEFAULTS, METERING: 'on', USAGE_SPOOL_DIR: '/usage' }).at(-1);
      expect(check?.explain(code)).toEqual({
        detail: expect.stringMatching(detail),
        remedy: expect.stringMatching(/, or set USAGE_SPOOL_DIR to another folder\.$/),
      });
    });
  });
});
