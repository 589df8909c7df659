import { describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { zipArchive, type ZipEntry } from './zip-archive';

const modifiedAt = new Date('2026-03-01T12:34:56.000Z');
const GIB = 1024 ** 3;
/** Of 5 GiB of zeros, computed by Python. */
const CRC_OF_5_GIB = 0x193838c3;
const ZEROS = Buffer.alloc(16 * 1024 ** 2);

function entry(name: string, content: string | Buffer): ZipEntry {
  const bytes = Buffer.from(content);
  return { name, modifiedAt, size: bytes.length, body: [bytes] };
}

async function* yielding<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

async function archiveOf(entries: Iterable<ZipEntry>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of zipArchive(yielding(entries))) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The last bytes of an archive that is too large to be kept, and its length in bytes. */
async function tailOf(entries: Iterable<ZipEntry>): Promise<{ tail: Buffer; length: number }> {
  let tail = Buffer.alloc(0);
  let length = 0;
  for await (const chunk of zipArchive(yielding(entries))) {
    length += chunk.length;
    tail = chunk.length === ZEROS.length ? Buffer.alloc(0) : Buffer.concat([tail, chunk]);
  }
  return { tail, length };
}

function* zeros(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += ZEROS.length) yield ZEROS.subarray(0, bytes - sent);
}

/** The end of central directory: with zip64, its values come from the zip64 record. */
function endOf(tail: Buffer): { entries: number; size: number; offset: number; isZip64: boolean } {
  const end = tail.subarray(-22);
  expect(end.readUInt32LE(0)).toBe(0x06054b50);
  const locator = tail.subarray(-42, -22);
  if (locator.readUInt32LE(0) !== 0x07064b50) {
    return { entries: end.readUInt16LE(10), size: end.readUInt32LE(12), offset: end.readUInt32LE(16), isZip64: false };
  }
  const zip64 = tail.subarray(-98, -42);
  expect(zip64.readUInt32LE(0)).toBe(0x06064b50);
  const [entries, size, offset] = [32, 40, 48].map((at) => Number(zip64.readBigUInt64LE(at))) as [
    number,
    number,
    number,
  ];
  expect(Number(locator.readBigUInt64LE(8))).toBe(offset + size);
  return { entries, size, offset, isZip64: true };
}

describe('zipArchive', () => {
  it('stores files that a reader finds with their names and bytes', async () => {
    const contents = { 'a.md': '# A', 'Größe/🎉.bin': Buffer.from([0, 255, 10]), 'empty.txt': '' };
    const archive = await archiveOf(Object.entries(contents).map(([name, content]) => entry(name, content)));
    expect(unzipSync(archive)).toEqual(
      Object.fromEntries(
        Object.entries(contents).map(([name, content]) => [name, new Uint8Array(Buffer.from(content))]),
      ),
    );
    expect(endOf(archive)).toMatchObject({ entries: 3, isZip64: false });
  });

  it('is a valid archive without files', async () => {
    const archive = await archiveOf([]);
    expect([archive.length, unzipSync(archive)]).toEqual([22, {}]);
  });

  it('passes chunks on while they arrive, and omits empty ones', async () => {
    const body = ['one', '', 'two'].map((text) => Buffer.from(text));
    const chunks: string[] = [];
    for await (const chunk of zipArchive(yielding([{ name: 'a', modifiedAt, size: 6, body }]))) {
      chunks.push(chunk.toString('latin1'));
    }
    expect(chunks).toHaveLength(6);
    expect(chunks.slice(1, 3)).toEqual(['one', 'two']);
  });

  it('rejects a body with another size than declared', async () => {
    await expect(archiveOf([{ ...entry('a', 'four'), size: 5 }])).rejects.toThrow('4 bytes instead of 5');
  });

  it('closes the body and the entries when the reader stops', async () => {
    const closed: string[] = [];
    async function* body() {
      try {
        for (;;) yield Buffer.from('more');
      } finally {
        closed.push('body');
      }
    }
    async function* entries() {
      try {
        yield { name: 'a', modifiedAt, size: 100, body: body() };
      } finally {
        closed.push('entries');
      }
    }
    for await (const chunk of zipArchive(entries())) if (chunk.toString() === 'more') break;
    expect(closed).toEqual(['body', 'entries']);
  });

  it('keeps dates of MS-DOS within their range', async () => {
    const dates = ['1969-01-01', '2200-01-01'].map((day) => new Date(day));
    const archive = await archiveOf(dates.map((date) => ({ ...entry(date.toISOString(), ''), modifiedAt: date })));
    const { offset } = endOf(archive);
    expect(1980 + (archive.readUInt16LE(offset + 14) >> 9)).toBe(1980);
    expect(Object.keys(unzipSync(archive))).toHaveLength(2);
  });
});

describe('zipArchive with zip64', () => {
  it('uses it from 65,535 files on', async () => {
    const files = (count: number) => Array.from({ length: count }, (_, at) => entry(`f${at}`, ''));
    expect(endOf(await archiveOf(files(65_534)))).toMatchObject({ entries: 65_534, isZip64: false });
    const archive = await archiveOf(files(65_535));
    expect(endOf(archive)).toMatchObject({ entries: 65_535, isZip64: true });
    expect(Object.keys(unzipSync(archive))).toHaveLength(65_535);
  });

  it('uses it for a file of 5 GiB and for the offset after it', async () => {
    const large: ZipEntry = { name: 'large', modifiedAt, size: 5 * GIB, body: zeros(5 * GIB) };
    const { tail, length } = await tailOf([large, entry('small', 'tiny')]);
    const { entries, size, offset, isZip64 } = endOf(tail);
    expect({ entries, isZip64, end: offset + size + 98 }).toEqual({ entries: 2, isZip64: true, end: length });

    const directory = tail.subarray(-98 - size, -98);
    expect(directory.readUInt32LE(0)).toBe(0x02014b50);
    expect([20, 24, 42].map((at) => directory.readUInt32LE(at))).toEqual([0xffffffff, 0xffffffff, 0]);
    const extra = directory.subarray(46 + 'large'.length);
    expect([extra.readUInt16LE(0), extra.readUInt16LE(2)]).toEqual([1, 16]);
    expect([4, 12].map((at) => Number(extra.readBigUInt64LE(at)))).toEqual([5 * GIB, 5 * GIB]);
    expect(directory.readUInt32LE(16)).toBe(CRC_OF_5_GIB);

    const second = extra.subarray(20 + 9);
    expect(second.readUInt32LE(0)).toBe(0x02014b50);
    expect([20, 24, 42].map((at) => second.readUInt32LE(at))).toEqual([4, 4, 0xffffffff]);
    const position = Number(second.readBigUInt64LE(46 + 'small'.length + 4));
    // Local header with name, zip64 field and time; 5 GiB; data descriptor with sizes of 8 bytes.
    expect(position).toBe(30 + 'large'.length + 20 + 9 + 5 * GIB + 24);
  });
});
