import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { deflate, gunzipSync, gzipSync } from 'node:zlib';
import { isFullSuite, suiteSize } from '@homeport/platform/server/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ArchiveFormat } from '../../application/archive-reader.port';
import { ArchiveRejected } from '../../domain/archive.errors';
import { paxHeader, signed, tarGzOf } from '../../../testing/archives/raw-tar';
import { zipOf } from '../../../testing/archives/raw-zip';
import { SpooledArchiveReader } from './spooled-archive-reader';

const MIB = 1024 * 1024;
const RUNS = suiteSize(15, 500);
const LIMITS = { archiveBytes: 100 * MIB, unpackedBytes: 500 * MIB, files: 20_000, fileBytes: 50 * MIB };
const BLOCK = 512;
/** Boundary values of signs, digits, GNU's base-256 and text. */
const BOUNDARIES = [0x00, 0x20, 0x2f, 0x38, 0x7f, 0x80, 0x81, 0xfe, 0xff];
const NUMERIC = [
  [100, 156],
  [257, 265],
  [329, 345],
] as const;

const TAR = gunzipSync(
  tarGzOf(
    { name: 'index.html', body: '<p>Good' },
    { name: 'd', type: '5' },
    paxHeader({ path: 'b/long.css', size: '700' }),
    { name: 'long', body: 'p'.repeat(700) },
    { name: 'a.js', body: 'let a = 1;'.repeat(90) },
  ),
);
/** Offsets of the headers of a file, a folder, an extension, and the file that it extends. */
const HEADERS = [0, 1024, 1536, 2560];
const ZIP = zipOf([
  { name: 'index.html', data: '<p>Good' },
  { name: 'd/' },
  { name: 'a.js', data: 'let a;'.repeat(90) },
]);

const reader = new SpooledArchiveReader();
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-fuzz-'));
});
afterAll(() => rm(folder, { recursive: true }));

const compress = promisify(deflate);

/**
 * Whether a promise settles while the process still works on it. Each round queues a job behind those of the reader in
 * libuv's thread pool and runs its callbacks. The work for a few kilobytes takes a few dozen rounds on any machine.
 */
async function settles(promise: Promise<unknown>): Promise<boolean> {
  let isSettled = false;
  const settled = () => void (isSettled = true);
  promise.then(settled, settled);
  for (let round = 0; round < 5_000 && !isSettled; round += 1) {
    await compress('');
    await setImmediate();
  }
  return isSettled;
}

/** @returns the fault of the reader; undefined when it reads or rejects the archive. */
async function faultOf(bytes: Buffer, format: ArchiveFormat): Promise<string | undefined> {
  const file = join(folder, String(count++));
  await writeFile(file, bytes);
  const stop = new AbortController();
  const outcome = reader.examine({ file, format, archiveBytes: bytes.length }, LIMITS, stop.signal).then(
    () => undefined,
    (error: unknown) => error,
  );
  const isSettled = await settles(outcome);
  stop.abort();
  const error = await outcome;
  await rm(file);
  if (!isSettled) return 'the reader never ends';
  return error === undefined || error instanceof ArchiveRejected ? undefined : String(error);
}

/** A tar file with some bytes of a header changed, and a checksum that matches them. */
function corruptedTar(header: number, bytes: Readonly<Record<number, number>>): Buffer {
  const tar = Buffer.from(TAR);
  const block = tar.subarray(header, header + BLOCK);
  const checksum = Object.keys(bytes).some((offset) => Number(offset) >= 148 && Number(offset) < 156);
  for (const [offset, byte] of Object.entries(bytes)) block.writeUInt8(byte, Number(offset));
  if (!checksum) signed(block);
  return gzipSync(tar, { level: 1 });
}

describe('reading an archive with a corrupted header ends', () => {
  it.each([HEADERS[0]!, HEADERS[2]!])('with any byte in a number field of the tar header at %i', async (header) => {
    const faults: string[] = [];
    for (const [start, end] of NUMERIC) {
      for (let offset = start; offset < end; offset += 1) {
        for (const byte of BOUNDARIES) {
          const fault = await faultOf(corruptedTar(header, { [offset]: byte }), 'tar.gz');
          if (fault !== undefined) faults.push(`${offset} = ${byte}: ${fault}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  it('with several changed bytes in a tar header', async () => {
    const bytes = fc.dictionary(fc.nat(BLOCK - 1).map(String), fc.oneof(fc.constantFrom(...BOUNDARIES), fc.nat(255)), {
      minKeys: 1,
      maxKeys: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...HEADERS), bytes, async (header, changes) => {
        expect(await faultOf(corruptedTar(header, changes), 'tar.gz')).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });

  it('with any changed byte in a zip file', async () => {
    const faults: string[] = [];
    for (let offset = 0; offset < ZIP.length; offset += 1) {
      for (const byte of isFullSuite ? [0x00, 0x7f, 0xff] : [0x7f]) {
        const zip = Buffer.from(ZIP);
        zip.writeUInt8(byte, offset);
        const fault = await faultOf(zip, 'zip');
        if (fault !== undefined) faults.push(`${offset} = ${byte}: ${fault}`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('with several changed bytes in a zip file', async () => {
    const bytes = fc.dictionary(fc.nat(ZIP.length - 1).map(String), fc.nat(255), { minKeys: 1, maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(bytes, async (changes) => {
        const zip = Buffer.from(ZIP);
        for (const [offset, byte] of Object.entries(changes)) zip.writeUInt8(byte, Number(offset));
        expect(await faultOf(zip, 'zip')).toBeUndefined();
      }),
      { numRuns: RUNS },
    );
  });
});
