import { crc32, deflateRawSync } from 'node:zlib';
import { flipped, type HostileArchive, MIB, noise, spread } from './hostile-archive';
import { CONFLICTING_NAMES, HOSTILE_NAMES, label, LONG_NAMES, NESTED_ARCHIVES, EMPTY_ARCHIVES } from './hostile-names';
import { tarGzOf } from './raw-tar';
import { zip64End, zip64Extra, zipOf, type ZipPart } from './raw-zip';

const UTF8 = 0x800;
const TEXT = 'let a = 1;'.repeat(300);
const PAGE: ZipPart = { name: 'index.html', data: '<!doctype html><p>Good' };
const SITE: readonly ZipPart[] = [PAGE, { name: 'a.js', data: TEXT }, { name: 'b/c.css', data: 'p {}', method: 0 }];

type Case = readonly [name: string, bytes: () => Buffer, expectedReason: RegExp, limits?: HostileArchive['limits']];

/** An empty entry. A name that ends with "/" is a folder. */
const bare = (name: string | Buffer): ZipPart => ({ name, flags: UTF8, method: 0 });
const withPage = (part: ZipPart) => () => zipOf([PAGE, part]);

const NAMES: readonly Case[] = [
  ...[...HOSTILE_NAMES, ...LONG_NAMES].map(([name, reason]): Case => [
    `name ${label(name)}`,
    withPage(bare(name)),
    reason,
  ]),
  ...CONFLICTING_NAMES.map(([names, reason]): Case => [
    `names ${names.join(' ')}`,
    () => zipOf(names.map(bare)),
    reason,
  ]),
  ...EMPTY_ARCHIVES.map(([names, reason]): Case => [
    `nothing but ${names.join(' ')}`,
    () => zipOf(names.map(bare)),
    reason,
  ]),
  ...NESTED_ARCHIVES.map((name): Case => [`nested ${name}`, () => zipOf([{ name, data: 'PK' }]), /nested/]),
  ['name with NUL', withPage(bare('a\0.html')), /NUL/],
  ['name with NUL in the old encoding', withPage({ name: Buffer.from('a\0\xe9.html', 'latin1') }), /NUL/],
  ['empty name', withPage(bare('')), /is empty/],
  ['Unicode path field ../evil', withPage({ name: 'good', extra: unicodePath('good', '../evil') }), /leaves the site/],
  ['Unicode path field /evil', withPage({ name: 'good', extra: unicodePath('good', '/evil') }), /absolute/],
  ['two names', withPage({ name: 'good.html', local: { name: 'evil.html' } }), /in two places/],
];

function unicodePath(name: string, path: string): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt16LE(0x7075, 0);
  head.writeUInt16LE(5 + Buffer.byteLength(path), 2);
  head.writeUInt8(1, 4);
  head.writeUInt32LE(crc32(name), 5);
  return Buffer.concat([head, Buffer.from(path)]);
}

const TYPES: readonly Case[] = [
  ['symbolic link', withPage({ name: 'evil', data: '/etc/passwd', mode: 0o120777 }), /symbolic link/],
  ['symbolic link that DOS made', withPage({ name: 'evil', data: '../x', mode: 0o120777, madeBy: 0 }), /symbolic link/],
  ['symbolic link to a folder', withPage({ name: 'evil/', mode: 0o120777 }), /symbolic link/],
  ['hidden symbolic link', withPage({ name: '.x', data: '/', mode: 0o120777 }), /symbolic link/],
  ...([0o020666, 0o060666, 0o010644, 0o140755, 0o110000] as const).map((mode): Case => [
    `device ${mode.toString(8)}`,
    withPage({ name: 'evil', mode }),
    /device/,
  ]),
  ['encrypted', withPage({ name: 'secret', data: 'x', flags: 1 }), /encrypted/],
  ['all encrypted', () => zipOf(SITE.map((part) => ({ ...part, flags: 1 }))), /encrypted/],
  ['encrypted strongly', withPage({ name: 'secret', data: 'x', flags: 0x41 }), /encrypted/],
  ['encrypted with AES', withPage({ name: 'secret', data: 'x', flags: 1, method: 99 }), /encrypted/],
  ['names encrypted', withPage({ name: 'secret', data: 'x', flags: 0x2000 }), /encrypted/],
  ...[1, 6, 9, 12, 14, 93, 95, 98, 65535].map((method): Case => [
    `method ${method}`,
    withPage({ name: 'odd', data: 'x', method }),
    /not supported/,
  ]),
  ['a folder with bytes', withPage({ name: 'dir/', data: 'x' }), /has bytes like a file/],
];

const EMPTY = (count: number, name: (i: number) => string) => Array.from({ length: count }, (_, i) => bare(name(i)));

const LIMITS: readonly Case[] = [
  ['too many files', () => zipOf(EMPTY(11, (i) => `f${i}`)), /more than 10 files/, { files: 10 }],
  ['too many folders', () => zipOf([PAGE, ...EMPTY(60, (i) => `d${i}/`)]), /more than 40 entries/, { files: 10 }],
  ['too many hidden files', () => zipOf([PAGE, ...EMPTY(60, (i) => `.a${i}`)]), /more than 40 entries/, { files: 10 }],
  [
    'names that are too long in total',
    () => zipOf([PAGE, ...EMPTY(18_000, (i) => `.${i}-${'n'.repeat(1_200)}`)]),
    /names in the archive are longer than 20 MiB/,
  ],
  [
    'too large a file',
    () => zipOf([{ name: 'big', data: noise(2000) }]),
    /larger than 1,000 bytes/,
    { fileBytes: 1000 },
  ],
  [
    'too much in all',
    () => zipOf([1, 2, 3].map((n) => ({ name: `f${n}`, data: noise(9000) }))),
    /unpacked/,
    { unpackedBytes: 20_000 },
  ],
  ['too large as sent', () => zipOf([{ name: 'f', data: noise(9000) }]), /archive is larger/, { archiveBytes: 5000 }],
  ['a file of zeros', () => zipOf([{ name: 'zeros', data: Buffer.alloc(40 * MIB) }]), /times its size/],
  [
    'files of zeros',
    () => zipOf(Array.from({ length: 8 }, (_, i) => ({ name: `z${i}`, data: Buffer.alloc(2 * MIB) }))),
    /times its size/,
  ],
  [
    'a file larger than a file may be',
    () => zipOf([{ name: 'zeros', data: Buffer.alloc(51 * MIB) }]),
    /larger than 50 MiB/,
  ],
  ['one kernel for many files', () => overlapping(200), /overlaps/],
  ['one file under many names', () => sharing(50), /overlaps/],
  ['entries inside the data of another', () => quoting(), /overlaps/],
  [
    'data that reaches into the directory',
    () => zipOf([{ name: 'a', data: 'x', method: 0, size: 30, compressedSize: 30 }]),
    /overlaps/,
  ],
];

/** Every entry starts at the first one, so the data of each includes all that follow. */
function overlapping(count: number): Buffer {
  const kernel = { data: Buffer.alloc(MIB) };
  return zipOf(
    Array.from({ length: count }, (_, i) => ({
      ...kernel,
      name: `f${i}`,
      ...(i > 0 && { offset: 0, packed: Buffer.alloc(0) }),
    })),
  );
}

function sharing(count: number): Buffer {
  const [packed, size] = [deflateRawSync(TEXT), TEXT.length];
  const claims = { crc: crc32(TEXT), size, compressedSize: packed.length };
  const rest = Array.from({ length: count }, () => ({ ...claims, name: 'a', packed: Buffer.alloc(0), offset: 0 }));
  return zipOf([{ ...claims, name: 'a', packed }, ...rest]);
}

/** The data of the first entry contains the second entry. */
function quoting(): Buffer {
  const inner = zipOf([{ name: 'b', data: TEXT }]);
  const last = {
    name: 'b',
    data: TEXT,
    packed: Buffer.alloc(0),
    compressedSize: deflateRawSync(TEXT).length,
    offset: 31,
  };
  return zipOf([{ name: 'a', method: 0, data: inner.subarray(0, -60) }, last]);
}

const zip = zipOf(SITE);
/** Offsets of the header of the second entry, the central directory and its end record. */
const SECOND = zip.indexOf('PK\x03\x04', 4, 'latin1');
const DIRECTORY = zip.indexOf('PK\x01\x02', 0, 'latin1');
const END = zip.indexOf('PK\x05\x06', 0, 'latin1');
const corrupted = (what: string, offset: number, mask?: number): Case => [
  `${what} corrupted`,
  () => flipped(zip, offset, mask),
  /damaged|wrong size|overlaps|not a zip|not supported|encrypted|device|several|after its end|in two places|larger|as many entries/,
];
const misdeclared = (what: string, part: Partial<ZipPart>, reason = /wrong size/): Case => [
  `declares ${what}`,
  withPage({ name: 'a.js', data: TEXT, ...part }),
  reason,
];

const DAMAGE: readonly Case[] = [
  ...spread(zip.length, 20).map((end): Case => [`cut at ${end}`, () => zip.subarray(0, end), /not a zip file/]),
  ...[0, 3, 8, 14, 18, 22, 26, 28, 30].map((at) =>
    corrupted(`local header at ${at}`, SECOND + at, at === 8 ? 4 : 0xff),
  ),
  ...[0, 6 + 2, 10, 16, 20, 24, 28, 30, 42, 46].map((at) => corrupted(`directory at ${at}`, DIRECTORY + at)),
  ...[0, 4, 10, 16, 20].map((at) => corrupted(`end at ${at}`, END + at)),
  ...spread(20, 5).map((at) => corrupted(`data at ${at}`, SECOND + 34 + at, 0x55)),
  misdeclared('a larger size', { size: TEXT.length + 1 }),
  misdeclared('a much larger size', { size: 40 * MIB }),
  misdeclared('a size above the file limit', { size: 0xfffffffe }, /larger than 50 MiB/),
  misdeclared('a smaller size', { size: 10 }),
  misdeclared('no bytes at all', { size: 0, crc: 0 }),
  misdeclared('a larger compressed size', { compressedSize: 5000 }, /overlaps|larger|overflow|damaged/),
  misdeclared('a smaller compressed size', { compressedSize: 5 }, /damaged/),
  misdeclared('a compressed size of zero', { compressedSize: 0 }),
  misdeclared('another size for a stored entry', { method: 0, size: 5 }),
  misdeclared('a different size in the local header', { local: { size: 5 } }),
  misdeclared('a different checksum in the local header', { local: { crc: 5 } }),
  misdeclared('a different method in the local header', { local: { method: 0 } }, /in two places/),
  misdeclared('a wrong checksum', { crc: 1 }, /checksum is wrong/),
  misdeclared('a wrong checksum for a stored entry', { method: 0, crc: 1 }, /checksum is wrong/),
  misdeclared(
    'bytes after the deflated data',
    { packed: Buffer.concat([deflateRawSync(TEXT), Buffer.from('evil')]) },
    /damaged/,
  ),
  misdeclared('invalid deflated data', { packed: Buffer.alloc(50, 0xff) }, /damaged/),
  misdeclared('an offset outside the file', { offset: 0x7fffffff }, /damaged/),
  misdeclared('an offset into the data', { offset: 35 }, /overlaps/),
  misdeclared('zip64 sizes', { size: 0xffffffff, extra: zip64Extra(2n ** 62n) }, /larger/),
  misdeclared('a zip64 offset', { offset: 0xffffffff, extra: zip64Extra(2n ** 63n) }, /damaged/),
  misdeclared('zip64 sizes that are missing', { size: 0xffffffff }, /damaged|larger/),
  misdeclared('an extra field longer than it is', { extra: Buffer.from('0100ffff', 'hex') }, /damaged/),
  ['fewer entries than there are', () => zipOf(SITE, { count: 2 }), /as many entries/],
  ['zero entries declared', () => zipOf(SITE, { count: 0 }), /as many entries/],
  ['more entries than there are', () => zipOf(SITE, { count: 4 }), /damaged/],
  ['a directory elsewhere', () => zipOf(SITE, { directoryOffset: 7 }), /damaged/],
  ['a directory outside', () => zipOf(SITE, { directoryOffset: 0xfffffff0 }), /damaged/],
  ['one part of several', () => zipOf(SITE, { disk: 3 }), /one part of several/],
  ['bytes after the end', () => zipOf(SITE, { behind: Buffer.from('evil') }), /after its end/],
  ['a missing comment', () => zipOf(SITE, { commentLength: 20 }), /after its end/],
  [
    'another end record in the comment',
    () => zipOf(SITE, { commentLength: 22, behind: zipOf([]) }),
    /is empty|as many/,
  ],
  zip64('a directory at the largest 64-bit offset', { directoryOffset: 2n ** 64n - 1n }),
  zip64('a directory after the file', { directoryOffset: 2n ** 52n }),
  zip64('records at the largest 64-bit offset', { recordOffset: 2n ** 64n - 1n }),
  zip64('records at 2^53', { recordOffset: 2n ** 53n }),
  zip64('records elsewhere', { recordOffset: 0n }),
  zip64('2^63 entries', { count: 2n ** 63n, directoryOffset: BigInt(DIRECTORY) }),
  ['a tar.gz', () => tarGzOf({ name: 'index.html', body: 'x' }), /not a zip file/],
  ['text', () => Buffer.from('<!doctype html>'), /not a zip file/],
  ['no bytes', () => Buffer.alloc(0), /not a zip file/],
  ['an end record only', () => zipOf([]), /is empty/],
];

function zip64(name: string, record: Partial<Parameters<typeof zip64End>[0]>): Case {
  const beforeEnd = zip64End({ count: 3n, directoryOffset: 0n, recordOffset: BigInt(END), ...record });
  return [`zip64: ${name}`, () => zipOf(SITE, { count: 0xffff, beforeEnd }), /damaged/];
}

const SLOW = ['names that are too long in total'];

export const HOSTILE_ZIPS: readonly HostileArchive[] = [...NAMES, ...TYPES, ...LIMITS, ...DAMAGE].map(
  ([name, bytes, expectedReason, limits]) => ({
    name: `zip: ${name}`,
    format: 'zip',
    bytes,
    expectedReason,
    ...(limits && { limits }),
    isSlow: SLOW.includes(name),
  }),
);
