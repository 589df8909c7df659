import { gzipSync } from 'node:zlib';
import { flipped, type HostileArchive, MIB, noise, spread } from './hostile-archive';
import { CONFLICTING_NAMES, HOSTILE_NAMES, label, LONG_NAMES, NESTED_ARCHIVES, EMPTY_ARCHIVES } from './hostile-names';
import { gnuLongName, paxHeader, signed, tarEntry, tarGzOf, tarOf, type TarPart } from './raw-tar';
import { zipOf } from './raw-zip';

const PAGE: TarPart = { name: 'index.html', body: '<!doctype html><p>Good' };
/** Large enough that a cut or a flipped byte at any offset causes damage. */
const SITE: readonly TarPart[] = [
  PAGE,
  { name: 'a.js', body: 'let a = 1;'.repeat(300) },
  { name: 'b/c.css', body: 'p {}' },
];

type Case = readonly [name: string, bytes: () => Buffer, expectedReason: RegExp, limits?: HostileArchive['limits']];

/** An entry whose size field starts with the byte 0xC2. */
const HANGING = 'H4sIAAAAAAAAA0tkoD0wMDAwMDMxAdMGBgZw+pABHDAYoLDNjI0MGBQM6OA2htLiksQiBgO62DUKRsEoGAWDCAAAH5MolwAGAAA=';

/** Encodes a name of any length: long names need a pax header. */
function named(name: string | Buffer, part: Partial<TarPart> = {}): TarPart[] {
  const fits = Buffer.from(name as string).length <= 100;
  return fits ? [{ ...part, name }] : [paxHeader({ path: name }), { ...part, name: 'long' }];
}

const NAMES: readonly Case[] = [
  ...[...HOSTILE_NAMES, ...LONG_NAMES].map(([name, reason]): Case => [
    `name ${label(name)}`,
    () => tarGzOf(PAGE, ...named(name, { body: 'x' })),
    reason,
  ]),
  ...CONFLICTING_NAMES.map(([names, reason]): Case => {
    const parts = names.flatMap((name) => named(name, { type: name.endsWith('/') ? '5' : '0' }));
    return [`names ${names.join(' ')}`, () => tarGzOf(...parts), reason];
  }),
  ...EMPTY_ARCHIVES.map(([names, reason]): Case => {
    const parts = names.map((name) => ({ name, type: name.endsWith('/') ? '5' : '0' }));
    return [`nothing but ${names.join(' ')}`, () => tarGzOf(...parts), reason];
  }),
  ...NESTED_ARCHIVES.map((name): Case => [`nested ${name}`, () => tarGzOf({ name, body: 'PK' }), /nested/]),
  ['pax path ../evil', () => tarGzOf(PAGE, paxHeader({ path: '../evil' }), { name: 'good' }), /leaves the site/],
  ['pax path with NUL', () => tarGzOf(PAGE, paxHeader({ path: 'a\0.html' }), { name: 'good' }), /NUL/],
  ['pax path /evil', () => tarGzOf(PAGE, paxHeader({ path: '/evil' }), { name: 'good' }), /absolute/],
  [
    'GNU long name ../evil',
    () => tarGzOf(PAGE, gnuLongName(`../${'x'.repeat(120)}`), { name: 'good' }),
    /leaves the site/,
  ],
  ['empty name', () => tarGzOf(PAGE, { name: '', body: 'x' }), /is empty/],
  ['prefix with ..', () => tarGzOf(PAGE, { name: 'x', ...climbingPrefix() }), /leaves the site/],
];

function climbingPrefix(): Pick<TarPart, 'spoil'> {
  return { spoil: (header) => void signed(header.fill('..', 345, 347)) };
}

const TYPES: readonly Case[] = [
  ['hard link', () => tarGzOf(PAGE, { name: 'evil', type: '1', linkname: 'index.html' }), /hard link/],
  ['hard link out', () => tarGzOf(PAGE, { name: 'evil', type: '1', linkname: '../../etc/passwd' }), /hard link/],
  ['symbolic link', () => tarGzOf(PAGE, { name: 'evil', type: '2', linkname: '/etc/passwd' }), /symbolic link/],
  ['symbolic link inside', () => tarGzOf(PAGE, { name: 'evil', type: '2', linkname: 'index.html' }), /symbolic link/],
  [
    'symbolic link and a file through it',
    () => tarGzOf(PAGE, { name: 'dir', type: '2', linkname: '/tmp' }, { name: 'dir/evil', body: 'x' }),
    /symbolic link/,
  ],
  ['hidden symbolic link', () => tarGzOf(PAGE, { name: '.git/x', type: '2', linkname: '/' }), /symbolic link/],
  [
    'pax symbolic link',
    () => tarGzOf(PAGE, paxHeader({ linkpath: '/etc' }), { name: 'e', type: '2' }),
    /symbolic link/,
  ],
  ['character device', () => tarGzOf(PAGE, { name: 'null', type: '3' }), /device/],
  ['block device', () => tarGzOf(PAGE, { name: 'sda', type: '4' }), /device/],
  ['fifo', () => tarGzOf(PAGE, { name: 'pipe', type: '6' }), /named pipe/],
  ...['S', 'M', 'V', 'D', 'A', 'Z', '8', '\u007f'].map((type): Case => [
    `type ${label(type)}`,
    () => tarGzOf(PAGE, { name: 'odd', type }),
    /neither a file nor a folder/,
  ]),
];

const EMPTY_FILES = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `f${i}` }));
const FOLDERS = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `d${i}/`, type: '5' }));
/** Compressed zeros that unpack to `mib` MiB. */
const zeros = (mib: number) => Buffer.concat(Array<Buffer>(mib).fill(gzipSync(Buffer.alloc(MIB))));

const LIMITS: readonly Case[] = [
  ['too many files', () => tarGzOf(...EMPTY_FILES(11)), /more than 10 files/, { files: 10 }],
  ['too many folders', () => tarGzOf(PAGE, ...FOLDERS(60)), /more than 40 entries/, { files: 10 }],
  ['90,000 folders', () => flood(90), /more than 80,000 entries/],
  [
    'too many hidden files',
    () => tarGzOf(PAGE, ...Array.from({ length: 60 }, (_, i) => ({ name: `.a${i}` }))),
    /entries/,
    { files: 10 },
  ],
  [
    'too large a file',
    () => tarGzOf({ name: 'big', body: noise(2000) }),
    /larger than 1,000 bytes/,
    { fileBytes: 1000 },
  ],
  [
    'too much in all',
    () => tarGzOf(...[1, 2, 3].map((n) => ({ name: `f${n}`, body: noise(9000) }))),
    /unpacked/,
    { unpackedBytes: 20_000 },
  ],
  ['too large as sent', () => tarGzOf({ name: 'f', body: noise(9000) }), /archive is larger/, { archiveBytes: 5000 }],
  ['a file of zeros', () => bomb(40), /times its size/],
  ['a file larger than a file may be', () => bomb(64), /larger than 50 MiB/],
  ['zeros after the end', () => Buffer.concat([gzipSync(tarOf(PAGE)), zeros(16)]), /too large|times its size/],
  ['nothing but zeros', () => zeros(600), /too large|times its size/],
  ['hidden files of zeros', () => Buffer.concat([gzipSync(fileHeader('.a', 100)), zeros(100)]), /times its size/],
  ['a pax header of 2 MiB', () => tarGzOf(paxHeader({ comment: noise(MIB).toString('hex') }), PAGE), /headers/],
  ['a pax header of 5 MiB', () => tarGzOf(paxHeader({ comment: noise(3 * MIB).toString('hex') }), PAGE), /header/],
  [
    'many pax headers',
    () => tarGzOf(...Array.from({ length: 2000 }, () => paxHeader({ a: noise(600) })), PAGE),
    /headers/,
  ],
  ['a GNU name of 2 MiB', () => tarGzOf(gnuLongName(noise(MIB).toString('hex')), PAGE), /headers/],
];

function flood(thousands: number): Buffer {
  const folders = gzipSync(Buffer.concat(FOLDERS(1000).map(tarEntry)));
  return Buffer.concat([...Array.from({ length: thousands }, () => folders), tarGzOf(PAGE)]);
}

function fileHeader(name: string, mib: number): Buffer {
  return tarEntry({ name, size: `${(mib * MIB).toString(8).padStart(11, '0')}\0` });
}

function bomb(mib: number): Buffer {
  return Buffer.concat([gzipSync(fileHeader('zeros.bin', mib)), zeros(mib), gzipSync(Buffer.alloc(1024))]);
}

const tar = tarOf(...SITE);
const gz = gzipSync(tar);

const DAMAGE: readonly Case[] = [
  ...spread(gz.length, 16).map((end): Case => [`gzip cut at ${end}`, () => gz.subarray(0, end), /cut off|not a gzip/]),
  // Within an entry: after its header, or inside its data.
  ...[1, 100, 511, 512, 700, 1023, 1100, 1536, 2000, 4607].map((end): Case => [
    `tar cut at ${end}`,
    () => gzipSync(tar.subarray(0, end)),
    /cut off/,
  ]),
  ...[0, 50, 100, 110, 124, 136, 156, 257, 262, 345, 500].map((offset): Case => [
    `tar header corrupted at ${offset}`,
    () => gzipSync(flipped(tar, 1024 + offset)),
    /damaged/,
  ]),
  ...[0, 1, 2].map((offset): Case => [`gzip header corrupted at ${offset}`, () => flipped(gz, offset), /gzip/]),
  ...[1, 3, 4, 5, 7, 8].map((back): Case => [
    `gzip checksum or length corrupted at -${back}`,
    () => flipped(gz, gz.length - back, 1),
    /gzip/,
  ]),
  ...spread(gz.length - 60, 8).map((offset): Case => [
    `gzip data corrupted at ${offset + 30}`,
    () => flipped(gz, offset + 30, 0x10),
    /gzip|damaged|cut off|headers/,
  ]),
  ['text after the gzip', () => Buffer.concat([gz, Buffer.from('evil')]), /other data follows/],
  ['zeros and text after the gzip', () => Buffer.concat([gz, Buffer.from('\0\0evil')]), /after its end/],
  ['text after the tar', () => gzipSync(Buffer.concat([tar, Buffer.from('evil')])), /cut off/],
  ['a block of text after the tar', () => gzipSync(Buffer.concat([tar, Buffer.alloc(512, 'evil')])), /damaged/],
  ['gzip of text', () => gzipSync('<!doctype html>'.repeat(100)), /not a tar file/],
  ['gzip of a little text', () => gzipSync('hello'), /cut off/],
  ['gzip of gzip', () => gzipSync(tarGzOf(...SITE, { name: 'r', body: noise(2000) })), /not a tar file/],
  ['gzip of a zip', () => gzipSync(zipOf([{ name: 'a', data: noise(2000) }])), /not a tar file/],
  ['gzip of nothing', () => gzipSync(''), /is empty/],
  ['a zip', () => zipOf([{ name: 'index.html', data: 'x' }]), /not a gzip/],
  ['an uncompressed tar', () => tar, /not a gzip/],
  ['text', () => Buffer.from('<!doctype html>'), /not a gzip/],
  ['no bytes', () => Buffer.alloc(0), /cut off/],
  ['one byte', () => Buffer.from([0x1f]), /cut off/],
  ['a header of an unknown kind', () => tarGzOf({ name: 'a', magic: 'star!\x0000' }), /damaged/],
  ['the largest octal size', () => tarGzOf({ ...PAGE, size: '77777777777\0' }), /larger than 50 MiB/],
  ['a size below zero', () => tarGzOf({ ...PAGE, size: Buffer.alloc(12, 0xff) }), /damaged/],
  [
    'a size in 95 bits',
    () => tarGzOf({ ...PAGE, size: Buffer.concat([Buffer.from([0x80]), Buffer.alloc(11, 0xff)]) }),
    /larger/,
  ],
  ['a size that is not a number', () => tarGzOf({ ...PAGE, size: 'zzzzzzzzzzz\0' }), /damaged/],
  ['a size too large by one block', () => tarGzOf({ ...PAGE, size: '00000004000\0' }), /cut off/],
  [
    'a size too small',
    () => tarGzOf({ name: 'a.js', body: 'let a = 1;'.repeat(300), size: '00000000001\0' }),
    /damaged/,
  ],
  // tar-stream reads these sizes as `null` and then waits for bytes endlessly.
  ...[0x81, 0x8f, 0xa0, 0xc2, 0xfe].map((first): Case => [
    `a size whose first byte is 0x${first.toString(16)}`,
    () => tarGzOf({ ...PAGE, size: Buffer.concat([Buffer.from([first]), Buffer.from('0000000000\0')]) }),
    /damaged: a size in a header is not a number/,
  ]),
  ...['x', 'g', 'L', 'K', 'N'].flatMap((type): Case[] => [
    [
      `an extension ${type} whose size is not a number`,
      () => tarGzOf({ ...paxHeader({ a: 'b' }), type, size: Buffer.alloc(12, 0xc2) }, PAGE),
      /damaged: a size in a header is not a number/,
    ],
    [
      `an extension ${type} whose size is below zero`,
      () => tarGzOf({ ...paxHeader({ a: 'b' }), type, size: Buffer.alloc(12, 0xff) }, PAGE),
      /damaged: a size in a header is below zero/,
    ],
    [`an extension ${type} without bytes`, () => tarGzOf({ name: 'x', type }, PAGE), /damaged: an extension header/],
  ]),
  ...(
    [
      ['mode', 100],
      ['user id', 108],
      ['group id', 116],
      ['modification time', 136],
      ['device number', 329],
      ['device number', 337],
    ] as const
  ).map(([field, offset]): Case => [
    `a ${field} at ${offset} that is not a number`,
    () => tarGzOf({ ...PAGE, spoil: (header) => signed(header.fill(0xc2, offset, offset + 1)) }),
    new RegExp(`damaged: the ${field} in a header is not a number`),
  ]),
  ['a hanging archive of 74 bytes', () => Buffer.from(HANGING, 'base64'), /damaged: a size in a header/],
  ['a pax size beyond 2^53', () => tarGzOf(paxHeader({ size: '9007199254740993' }), PAGE), /larger/],
  ['a pax size of spaces', () => tarGzOf(paxHeader({ size: ' ' }), PAGE), /damaged/],
  ['an empty pax size', () => tarGzOf(paxHeader({ size: '' }), PAGE), /damaged/],
  ['a pax size with an exponent', () => tarGzOf(paxHeader({ size: '1e3' }), PAGE), /damaged/],
  ['a pax size in hex', () => tarGzOf(paxHeader({ size: '0x10' }), PAGE), /damaged/],
  ['a pax size for all entries', () => tarGzOf({ ...paxHeader({ size: '5' }), type: 'g' }, PAGE), /damaged/],
  ['a pax record that is too long', () => tarGzOf({ name: 'x', type: 'x', body: '99 path=a\n' }, PAGE), /damaged/],
  ['a pax record of no length', () => tarGzOf({ name: 'x', type: 'x', body: '0 path=a\n' }, PAGE), /damaged/],
  ['a pax record below zero', () => tarGzOf({ name: 'x', type: 'x', body: '-9 path=a\n' }, PAGE), /damaged/],
  ['a pax size too large', () => tarGzOf(paxHeader({ size: '900719925474099' }), PAGE), /larger/],
  ['a pax size below zero', () => tarGzOf(paxHeader({ size: '-512' }), PAGE), /damaged/],
  ['a pax size that is not a number', () => tarGzOf(paxHeader({ size: 'many' }), PAGE), /damaged/],
  ['a folder with bytes', () => tarGzOf(PAGE, { name: 'dir/', type: '5', body: 'x'.repeat(600) }), /damaged/],
];

const SLOW = ['90,000 folders'];

export const HOSTILE_TARS: readonly HostileArchive[] = [...NAMES, ...TYPES, ...LIMITS, ...DAMAGE].map(
  ([name, bytes, expectedReason, limits]) => ({
    name: `tar.gz: ${name}`,
    format: 'tar.gz',
    bytes,
    expectedReason,
    ...(limits && { limits }),
    isSlow: SLOW.includes(name),
  }),
);
