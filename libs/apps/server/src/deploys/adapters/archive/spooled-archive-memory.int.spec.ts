import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { suiteSize } from '@homeport/platform/server/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ZipPart, zipOf } from '../../../testing/archives/raw-zip';

const READER = 'dist/api/libs/apps/server/src/deploys/adapters/archive/spooled-archive-reader.js';
const SCRIPT = 'libs/apps/server/src/testing/archives/examine-concurrently.mjs';
/** The loaded libraries take 60 MiB of it. Three whole directories of this size did not fit in memory. */
const HEAP_MIB = 128;
const CONCURRENT_READERS = 3;
const MAX_FILES = 20_000;
/** Entries take time and names take memory, so the sample has fewer entries with longer names: the same bytes. */
const LISTED = { entries: suiteSize(1_700, 17_000), nameBytes: suiteSize(12_000, 1_200) };
const STORED = { entries: suiteSize(5_000, 20_000), nameBytes: suiteSize(1_000, 250) };

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-memory-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A valid path with this number of bytes. */
const pathOf = (index: number, bytes: number) =>
  `${String(index).padStart(6, '0')}${`/${'n'.repeat(200)}`.repeat(Math.ceil(bytes / 200))}`.slice(0, bytes);

async function outcomes(parts: readonly ZipPart[]): Promise<unknown[]> {
  const file = join(folder, 'archive.zip');
  await writeFile(file, zipOf(parts));
  const flag = `--max-old-space-size=${HEAP_MIB}`;
  const run = [flag, SCRIPT, resolve(READER), file, 'zip', String(CONCURRENT_READERS), String(MAX_FILES)];
  const { stdout } = await promisify(execFile)(process.execPath, run);
  return (JSON.parse(stdout) as { readonly outcomes: unknown[] }).outcomes;
}

describe('a small heap', () => {
  it('is enough for directories of zip files that are many times larger', async () => {
    // At most 20 MiB are accepted in total. Names that are too long are rejected before the local header is read.
    const parts = Array.from({ length: LISTED.entries }, (_, i) => ({
      name: pathOf(i, LISTED.nameBytes),
      method: 0,
      local: { name: 'x' },
    }));
    const refusals = await outcomes(parts);
    expect(refusals).toHaveLength(CONCURRENT_READERS);
    for (const refusal of refusals) expect(refusal).toContain('The name is longer than 1,024 bytes.');
  });

  it('is enough for archives with paths of the maximum length', async () => {
    const parts = Array.from({ length: STORED.entries }, (_, i) => ({ name: pathOf(i, STORED.nameBytes), method: 0 }));
    expect(await outcomes(parts)).toEqual(Array(CONCURRENT_READERS).fill(STORED.entries));
  });
});
