import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isFull, Machine, random, url } from './command-line';
import { CountingProxy } from './counting-proxy';

interface Listing {
  readonly items: readonly { readonly key: string; readonly etag: string }[];
}

interface SyncResult {
  readonly created: number;
  readonly replaced: number;
  readonly same: number;
  readonly conflicts: number;
  readonly files: readonly { readonly path: string; readonly action: string }[];
}

const FILES = isFull ? 10_000 : 150;
/** In each direction. */
const KILLS = isFull ? 10 : 2;
/** Changed by both machines, and created by each of them. */
const SHARED = isFull ? 500 : 20;
const folder = `sync-${process.pid}`;

const up = (name: string) => ['files', 'sync', name, `workspace:${folder}/${name}`];
const down = (name: string) => ['files', 'sync', `workspace:${folder}/${name}`, name];

let office: Machine;
let laptop: Machine;
let proxy: CountingProxy;

beforeAll(async () => {
  [office, laptop] = await Promise.all([Machine.of('ben'), Machine.of('ben')]);
  proxy = await CountingProxy.start(url);
});
afterAll(() => Promise.all([office.remove(), laptop.remove(), proxy.close()]));

/** The text of each file, by path. */
async function textsOf(machine: Machine, name: string): Promise<Record<string, string>> {
  const root = machine.path('work', name);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts: Record<string, string> = {};
  for (const path of paths.toSorted()) texts[path.slice(root.length + 1)] = await readFile(path, 'utf8');
  return texts;
}

/** Starts a command and kills it after some requests. */
async function killAfter(machine: Machine, args: readonly string[], requests: number): Promise<void> {
  await machine.renewToken('ben');
  const { child, finished } = machine.start(args, { HOMEPORT_URL: proxy.url });
  let request = 0;
  proxy.onStep = () => request++ === requests && child.kill('SIGKILL');
  await finished;
  proxy.onStep = () => undefined;
  await proxy.idle();
}

async function run(machine: Machine, args: readonly string[]): Promise<SyncResult> {
  await machine.renewToken('ben');
  const { code, stdout, stderr } = await machine.run([...args, '--json'], '', { HOMEPORT_URL: proxy.url });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as SyncResult;
}

describe('killing homeport files sync', () => {
  /** Kills the command at random requests of what remains, with three steps each, and then lets it end. */
  async function killAndEnd(machine: Machine, args: readonly string[]): Promise<SyncResult> {
    for (let kill = 0; kill < KILLS; kill++) {
      const steps = Math.floor((random(`${args.join()} ${kill}`) * FILES * 3) / KILLS);
      await killAfter(machine, args, steps);
    }
    return run(machine, args);
  }

  it(`ends with ${FILES} equal files when it is repeated`, async () => {
    const textOf = (index: number) => `content of file ${index}`;
    const paths = Array.from({ length: FILES }, (_, index) => `many/${index % 20}/${index}.txt`);
    await office.write(Object.fromEntries(paths.map((path, index) => [path, textOf(index)])));
    const started = performance.now();
    const sent = await killAndEnd(office, up('many'));
    const uploaded = performance.now();
    expect(sent).toMatchObject({ replaced: 0, conflicts: 0 });
    expect(sent.created + sent.same).toBe(FILES);
    expect((await office.json<Listing>(['files', 'ls', `${folder}/many`, '-r'])).items).toHaveLength(FILES);
    const received = await killAndEnd(laptop, down('many'));
    const downloaded = performance.now();
    expect(received).toMatchObject({ replaced: 0, conflicts: 0 });
    expect(await textsOf(laptop, 'many')).toEqual(await textsOf(office, 'many'));
    for (const machine of [office, laptop]) expect(await run(machine, up('many'))).toMatchObject({ same: FILES });
    const again = (performance.now() - downloaded) / 2_000;
    const seconds = [uploaded - started, downloaded - uploaded].map((ms) => (ms / 1_000).toFixed(1));
    console.info(
      `${FILES} files: ${seconds[0]} s up, ${seconds[1]} s down with ${KILLS} kills each; ${again.toFixed(1)} s without changes`,
    );
  }, 3_000_000);

  it('continues after changes and deletions', async () => {
    const changed = Array.from({ length: FILES / 5 }, (_, index) => `many/${index % 20}/${index}.txt`);
    await office.write(Object.fromEntries(changed.map((path) => [path, `${path} changed`])));
    await killAfter(office, up('many'), Math.floor((random('changes') * FILES) / 5));
    expect(await run(office, up('many'))).toMatchObject({ conflicts: 0, created: 0 });
    await killAfter(laptop, down('many'), Math.floor((random('replaced') * FILES) / 5));
    expect(await run(laptop, down('many'))).toMatchObject({ conflicts: 0, created: 0 });
    expect(await textsOf(laptop, 'many')).toEqual(await textsOf(office, 'many'));
  }, 3_000_000);
});

describe('two people who synchronize one folder at once', () => {
  beforeEach(() => Promise.all([office, laptop].map((machine) => machine.renewToken('ben'))));

  const shared = Array.from({ length: SHARED }, (_, index) => `shared-${index}.txt`);
  const filesOf = (name: string) => [...shared, ...shared.map((path) => `${name}/${path}`)];

  it('lose no update, and are told about every conflict', async () => {
    const machines = { office, laptop };
    for (const [name, machine] of Object.entries(machines)) {
      await machine.write(Object.fromEntries(filesOf(name).map((path) => [`team/${path}`, `${path} of ${name}`])));
    }
    const runs = await Promise.all(Object.values(machines).map((machine) => machine.run([...up('team'), '--json'])));
    const results = runs.map(({ stdout }) => JSON.parse(stdout) as SyncResult);
    const pathsWith = (result: SyncResult, action: string) =>
      result.files.filter((file) => file.action === action).map(({ path }) => path);
    const [first, second] = results as [SyncResult, SyncResult];
    // Each path has one winner, and the other machine names it as a conflict.
    expect([...pathsWith(first, 'conflict'), ...pathsWith(second, 'conflict')].toSorted()).toEqual(shared.toSorted());
    for (const [index, [name, machine]] of Object.entries(machines).entries()) {
      const result = results[index] as SyncResult;
      expect(runs[index]?.code).toBe(result.conflicts > 0 ? 5 : 0);
      expect(pathsWith(result, 'create').length + result.conflicts).toBe(SHARED * 2);
      const mine = Object.fromEntries(filesOf(name).map((path) => [path, `${path} of ${name}`]));
      expect(await textsOf(machine, 'team')).toEqual(mine);
    }
    const reader = await Machine.of('ben');
    await reader.json(down('team'));
    const texts = await textsOf(reader, 'team');
    await reader.remove();
    const winnerOf = (path: string) => (pathsWith(first, 'create').includes(path) ? 'office' : 'laptop');
    const expected = [...shared.map((path) => [path, `${path} of ${winnerOf(path)}`])];
    for (const name of Object.keys(machines)) {
      for (const path of filesOf(name).slice(SHARED)) expected.push([path, `${path} of ${name}`]);
    }
    expect(texts).toEqual(Object.fromEntries(expected));
    console.info(`${SHARED} shared files: ${first.conflicts} and ${second.conflicts} conflicts`);
  }, 600_000);

  it('are told about conflicts between an upload and a download', async () => {
    await Promise.all([office, laptop].map((machine) => machine.run([...down('team'), '--force'])));
    await office.write(Object.fromEntries(shared.map((path) => [`team/${path}`, `${path}, second version`])));
    const edited = shared.slice(0, SHARED / 2);
    await laptop.write(Object.fromEntries(edited.map((path) => [`team/${path}`, `${path}, edited`])));
    const [sent, received] = await Promise.all([office.run(up('team')), laptop.run([...down('team'), '--json'])]);
    expect(sent).toMatchObject({ code: 0 });
    expect(received.code === 0).toBe((JSON.parse(received.stdout) as SyncResult).conflicts === 0);
    // What was not received then is received now, except the files that the laptop has edited.
    const { code, stdout } = await laptop.run(down('team'));
    expect(code).toBe(5);
    for (const path of edited) expect(stdout).toContain(`conflict ${path}: `);
    const texts = await textsOf(laptop, 'team');
    const expected = shared.map((path) => [path, `${path}, ${edited.includes(path) ? 'edited' : 'second version'}`]);
    expect(texts).toMatchObject(Object.fromEntries(expected));
  }, 600_000);
});
