import { readFile, rm, stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Machine } from './command-line';

interface Listing {
  readonly items: readonly { readonly key: string; readonly etag: string; readonly size: number }[];
}

interface SyncResult {
  readonly created: number;
  readonly replaced: number;
  readonly deleted: number;
  readonly same: number;
  readonly conflicts: number;
  readonly files: readonly { readonly path: string; readonly action: string }[];
}

let office: Machine;
let laptop: Machine;
const folder = `cli-${process.pid}`;

beforeAll(async () => {
  [office, laptop] = await Promise.all([Machine.of('ben'), Machine.of('ben')]);
});

afterAll(() => Promise.all([office.remove(), laptop.remove()]));

const text = (machine: Machine, path: string) => readFile(machine.path('work', path), 'utf8');
const up = (name: string) => ['files', 'sync', name, `workspace:${folder}/${name}`];
const down = (name: string) => ['files', 'sync', `workspace:${folder}/${name}`, name];
const listing = (name: string) => office.json<Listing>(['files', 'ls', `${folder}/${name}`, '-r']);

describe('single files', () => {
  it('are uploaded, listed, read, renamed and deleted', async () => {
    await office.write({ 'a b.txt': 'hello' });
    expect(await office.run(['files', 'put', 'a b.txt', `${folder}/single/`])).toMatchObject({ code: 0 });
    expect(await office.run(['files', 'cat', `${folder}/single/a b.txt`])).toMatchObject({ code: 0, stdout: 'hello' });
    expect((await listing('single')).items).toMatchObject([{ key: `${folder}/single/a b.txt`, size: 5 }]);
    expect(await laptop.run(['files', 'get', `${folder}/single/a b.txt`])).toMatchObject({ code: 0 });
    expect(await text(laptop, 'a b.txt')).toBe('hello');
    expect(await office.run(['files', 'mv', `${folder}/single/a b.txt`, `${folder}/single/ü#.txt`])).toMatchObject({
      code: 0,
    });
    expect((await listing('single')).items).toMatchObject([{ key: `${folder}/single/ü#.txt` }]);
    expect(await office.run(['files', 'rm', `${folder}/single`, '-r', '--yes'])).toMatchObject({ code: 0 });
    expect(await office.run(['files', 'cat', `${folder}/single/ü#.txt`])).toMatchObject({ code: 4 });
  });

  it('are not replaced without a condition', async () => {
    await office.write({ 'note.txt': 'one' });
    const put = ['files', 'put', 'note.txt', `${folder}/note.txt`];
    const { etag } = await office.json<{ etag: string }>(put);
    const refused = await office.run(put);
    expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining(etag) });
    await office.write({ 'note.txt': 'two' });
    expect(await office.run([...put, '--if-match', etag])).toMatchObject({ code: 0 });
    expect(await office.run([...put, '--if-match', etag])).toMatchObject({ code: 5 });
    expect(await laptop.run(['files', 'get', `${folder}/note.txt`])).toMatchObject({ code: 0 });
    expect(await laptop.run(['files', 'get', `${folder}/note.txt`])).toMatchObject({ code: 5 });
  });
});

describe('homeport files sync', () => {
  it('plans, uploads and downloads changes only', async () => {
    await office.write({ 'docs/a.md': 'a', 'docs/deep/b.md': 'b', 'docs/ü.md': 'ü' });
    const plan = await office.json<SyncResult>([...up('docs'), '--dry-run']);
    expect(plan).toMatchObject({ created: 3, same: 0 });
    expect((await listing('docs')).items).toEqual([]);
    expect(await office.json<SyncResult>(up('docs'))).toMatchObject({ created: 3 });
    expect(await office.json<SyncResult>(up('docs'))).toMatchObject({ created: 0, same: 3 });
    expect(await laptop.json<SyncResult>(down('docs'))).toMatchObject({ created: 3 });
    expect(await text(laptop, 'docs/deep/b.md')).toBe('b');
    await laptop.write({ 'docs/a.md': 'a2' });
    expect(await laptop.json<SyncResult>(up('docs'))).toMatchObject({ replaced: 1, same: 2 });
    expect(await office.json<SyncResult>(down('docs'))).toMatchObject({ replaced: 1, same: 2 });
    expect(await text(office, 'docs/a.md')).toBe('a2');
  });

  it('deletes only with --delete', async () => {
    await rm(office.path('work/docs/deep/b.md'));
    expect(await office.json<SyncResult>(up('docs'))).toMatchObject({ deleted: 0 });
    expect(await office.json<SyncResult>([...up('docs'), '--delete'])).toMatchObject({ deleted: 1 });
    expect(await laptop.json<SyncResult>([...down('docs'), '--delete'])).toMatchObject({ deleted: 1, same: 2 });
    await expect(stat(laptop.path('work/docs/deep/b.md'))).rejects.toThrow('ENOENT');
  });

  it('names conflicts and loses no update of two people', async () => {
    await office.write({ 'docs/a.md': 'of the office' });
    await laptop.write({ 'docs/a.md': 'of the laptop', 'docs/new.md': 'new' });
    expect(await office.run(up('docs'))).toMatchObject({ code: 0 });
    const { code, stdout } = await laptop.run(up('docs'));
    expect([code, stdout]).toEqual([5, expect.stringMatching(/^conflict a\.md: .*\ncreate {3}new\.md\n/)]);
    expect(await laptop.run(down('docs'))).toMatchObject({ code: 5 });
    expect(await text(laptop, 'docs/a.md')).toBe('of the laptop');
    expect(await laptop.run([...up('docs'), '--force'])).toMatchObject({ code: 0 });
    expect(await office.json<SyncResult>(down('docs'))).toMatchObject({ replaced: 1, created: 1, conflicts: 0 });
    expect(await text(office, 'docs/a.md')).toBe('of the laptop');
  });

  it('keeps a file that only the target has, when the last run did not know it', async () => {
    await office.write({ 'more.txt': 'more' });
    await office.run(['files', 'put', 'more.txt', `${folder}/docs/more.txt`]);
    expect(await laptop.run([...up('docs'), '--delete'])).toMatchObject({
      code: 5,
      stdout: expect.stringContaining('conflict more.txt: only the target has it'),
    });
  });
});
