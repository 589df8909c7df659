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

/** An entry that only has a name; what ends with "/" is a folder. */
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
  ['files that quote each other', () => quoting(), /overlaps/],
  [
    'data that reaches into the directory',
    () => zipOf([{ name: 'a', data: 'x', method: 0, size: 30, compressedSize: 30 }]),
    /overlaps/,
  ],
];

/** Every entry begins at the first: what follows it is in the data of all. */
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

/** The data of the first entry has the second one in it. */
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
/** Where the header of the second entry, the directory and its end begin. */
const SECOND = zip.indexOf('PK\x03\x04', 4, 'latin1');
const DIRECTORY = zip.indexOf('PK\x01\x02', 0, 'latin1');
const END = zip.indexOf('PK\x05\x06', 0, 'latin1');
const bent = (what: string, offset: number, mask?: number): Case => [
  `${what} bent`,
  () => flipped(zip, offset, mask),
  /damaged|lies|overlaps|no zip|not supported|encrypted|device|several|behind its end|in two places|larger|as many entries/,
];
const lying = (what: string, part: Partial<ZipPart>, reason = /lies/): Case => [
  `lies: ${what}`,
  withPage({ name: 'a.js', data: TEXT, ...part }),
  reason,
];

const DAMAGE: readonly Case[] = [
  ...spread(zip.length, 20).map((end): Case => [`cut at ${end}`, () => zip.subarray(0, end), /no zip file/]),
  ...[0, 3, 8, 14, 18, 22, 26, 28, 30].map((at) => bent(`local header at ${at}`, SECOND + at, at === 8 ? 4 : 0xff)),
  ...[0, 6 + 2, 10, 16, 20, 24, 28, 30, 42, 46].map((at) => bent(`directory at ${at}`, DIRECTORY + at)),
  ...[0, 4, 10, 16, 20].map((at) => bent(`end at ${at}`, END + at)),
  ...spread(20, 5).map((at) => bent(`data at ${at}`, SECOND + 34 + at, 0x55)),
  lying('larger than it is', { size: TEXT.length + 1 }),
  lying('much larger than it is', { size: 40 * MIB }),
  lying('larger than any file', { size: 0xfffffffe }, /larger than 50 MiB/),
  lying('smaller than it is', { size: 10 }),
  lying('no bytes at all', { size: 0, crc: 0 }),
  lying('packed larger', { compressedSize: 5000 }, /overlaps|larger|overflow|damaged/),
  lying('packed smaller', { compressedSize: 5 }, /damaged/),
  lying('packed to nothing', { compressedSize: 0 }),
  lying('stored, of another size', { method: 0, size: 5 }),
  lying('a size before the data only', { local: { size: 5 } }),
  lying('a checksum before the data only', { local: { crc: 5 } }),
  lying('another method before the data', { local: { method: 0 } }, /in two places/),
  lying('a wrong checksum', { crc: 1 }, /checksum is wrong/),
  lying('a stored file with a wrong checksum', { method: 0, crc: 1 }, /checksum is wrong/),
  lying('bytes behind the deflated', { packed: Buffer.concat([deflateRawSync(TEXT), Buffer.from('evil')]) }, /damaged/),
  lying('deflated data that is none', { packed: Buffer.alloc(50, 0xff) }, /damaged/),
  lying('an offset outside', { offset: 0x7fffffff }, /damaged/),
  lying('an offset into the data', { offset: 35 }, /overlaps/),
  lying('zip64 sizes', { size: 0xffffffff, extra: zip64Extra(2n ** 62n) }, /larger/),
  lying('a zip64 offset', { offset: 0xffffffff, extra: zip64Extra(2n ** 63n) }, /damaged/),
  lying('zip64 sizes that are missing', { size: 0xffffffff }, /damaged|larger/),
  lying('an extra field longer than it is', { extra: Buffer.from('0100ffff', 'hex') }, /damaged/),
  ['fewer entries than there are', () => zipOf(SITE, { count: 2 }), /as many entries/],
  ['no entries, it says', () => zipOf(SITE, { count: 0 }), /as many entries/],
  ['more entries than there are', () => zipOf(SITE, { count: 4 }), /damaged/],
  ['a directory elsewhere', () => zipOf(SITE, { directoryOffset: 7 }), /damaged/],
  ['a directory outside', () => zipOf(SITE, { directoryOffset: 0xfffffff0 }), /damaged/],
  ['one part of several', () => zipOf(SITE, { disk: 3 }), /one part of several/],
  ['bytes behind the end', () => zipOf(SITE, { behind: Buffer.from('evil') }), /behind its end/],
  ['a comment that is not there', () => zipOf(SITE, { commentLength: 20 }), /behind its end/],
  ['another end in the comment', () => zipOf(SITE, { commentLength: 22, behind: zipOf([]) }), /is empty|as many/],
  zip64('a directory at the end of all numbers', { directoryOffset: 2n ** 64n - 1n }),
  zip64('a directory behind the file', { directoryOffset: 2n ** 52n }),
  zip64('records at the end of all numbers', { recordOffset: 2n ** 64n - 1n }),
  zip64('records at 2^53', { recordOffset: 2n ** 53n }),
  zip64('records elsewhere', { recordOffset: 0n }),
  zip64('2^63 entries', { count: 2n ** 63n, directoryOffset: BigInt(DIRECTORY) }),
  ['a tar.gz', () => tarGzOf({ name: 'index.html', body: 'x' }), /no zip file/],
  ['text', () => Buffer.from('<!doctype html>'), /no zip file/],
  ['no bytes', () => Buffer.alloc(0), /no zip file/],
  ['an end and nothing else', () => zipOf([]), /is empty/],
];

function zip64(name: string, record: Partial<Parameters<typeof zip64End>[0]>): Case {
  const beforeEnd = zip64End({ count: 3n, directoryOffset: 0n, recordOffset: BigInt(END), ...record });
  return [`zip64: ${name}`, () => zipOf(SITE, { count: 0xffff, beforeEnd }), /damaged/];
}

export const HOSTILE_ZIPS: readonly HostileArchive[] = [...NAMES, ...TYPES, ...LIMITS, ...DAMAGE].map(
  ([name, bytes, expectedReason, limits]) => ({
    name: `zip: ${name}`,
    format: 'zip',
    bytes,
    expectedReason,
    ...(limits && { limits }),
  }),
);
