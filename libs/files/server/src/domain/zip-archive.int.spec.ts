import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { zipArchive, type ZipEntry } from './zip-archive';

const GIB = 1024 ** 3;
const ZEROS = Buffer.alloc(16 * 1024 ** 2);
const modifiedAt = new Date('2026-03-01T12:34:56.000Z');
const folder = mkdtempSync(join(tmpdir(), 'zip-archive-'));
const isInstalled = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;

/** Prints name, size, date and flag of every entry, after it has checked all others than the largest. */
const LIST = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        if entry.file_size < 1 << 30: archive.read(entry)
    print(json.dumps([[e.filename, e.file_size, e.date_time, e.flag_bits] for e in archive.infolist()]))
`;

afterAll(() => rmSync(folder, { recursive: true }));

async function* yielding(entries: Iterable<ZipEntry>): AsyncGenerator<ZipEntry> {
  yield* entries;
}

/** Writes an archive to a file in which zeros take no space. @returns its path. */
async function fileOf(name: string, entries: Iterable<ZipEntry>): Promise<string> {
  const path = join(folder, name);
  const file = openSync(path, 'w');
  let position = 0;
  for await (const chunk of zipArchive(yielding(entries))) {
    if (chunk.buffer !== ZEROS.buffer) writeSync(file, chunk, 0, chunk.length, position);
    position += chunk.length;
  }
  closeSync(file);
  return path;
}

function entry(name: string, content: string): ZipEntry {
  const bytes = Buffer.from(content);
  return { name, modifiedAt, size: bytes.length, body: [bytes] };
}

function* zeros(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += ZEROS.length) yield ZEROS.subarray(0, bytes - sent);
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 });
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

const python = isInstalled('python3', '--version') ? describe : describe.skip;
python('zipfile of Python', () => {
  it('reads names, dates and bytes', async () => {
    const path = await fileOf('small.zip', [entry('Größe/🎉.md', '# Party'), entry('empty', '')]);
    expect(JSON.parse(run('python3', '-c', LIST, path))).toEqual([
      ['Größe/🎉.md', 7, [2026, 3, 1, 12, 34, 56], 0x0808],
      ['empty', 0, [2026, 3, 1, 12, 34, 56], 0x0808],
    ]);
  });

  it('reads files behind one of 5 GiB', async () => {
    const large = { name: 'large', modifiedAt, size: 5 * GIB, body: zeros(5 * GIB) };
    const path = await fileOf('large.zip', [large, entry('small', 'tiny')]);
    const listed = JSON.parse(run('python3', '-c', LIST, path)) as readonly [string, number][];
    expect(listed.map(([name, size]) => [name, size])).toEqual([
      ['large', 5 * GIB],
      ['small', 4],
    ]);
  });

  it('reads more than 65,535 files', async () => {
    const path = await fileOf(
      'many.zip',
      Array.from({ length: 66_000 }, (_, at) => entry(`f${at}`, '')),
    );
    expect(JSON.parse(run('python3', '-c', LIST, path))).toHaveLength(66_000);
  });
});

const unzip = isInstalled('unzip', '-v') ? describe : describe.skip;
unzip('unzip of Info-ZIP', () => {
  it('finds no error', async () => {
    const path = await fileOf('checked.zip', [entry('a.md', '# A'), entry('ü/b.md', '# B')]);
    expect(run('unzip', '-t', path)).toContain('No errors detected');
  });
});
