import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRoot } from './account.ts';
import { openDataLocation, removePostgresData } from './data-location.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'homeport-home-'));
});

afterEach(async () => {
  for (const name of ['first', 'second', 'third']) await removePostgresData(join(root, name));
  await rm(root, { recursive: true });
});

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Only databases created by root live outside of their data folder. */
(isRoot() ? describe : describe.skip)("root's databases", () => {
  it('are removed when the next database is created after the data folder was deleted', async () => {
    const first = await openDataLocation(join(root, 'first'));
    const second = await openDataLocation(join(root, 'second'));
    await mkdir(join(first.folder, 'data'));
    await rm(join(root, 'first'), { recursive: true });

    await openDataLocation(join(root, 'third'));
    expect(await exists(first.folder)).toBe(false);
    expect(await exists(second.folder)).toBe(true);
  });

  it('keep working in a data folder that was moved', async () => {
    const first = await openDataLocation(join(root, 'first'));
    await rename(join(root, 'first'), join(root, 'second'));
    expect((await openDataLocation(join(root, 'second'))).folder).toBe(first.folder);
    await openDataLocation(join(root, 'third'));
    expect(await exists(first.folder)).toBe(true);
  });
});
