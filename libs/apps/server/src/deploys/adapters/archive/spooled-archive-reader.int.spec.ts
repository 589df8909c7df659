import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { isFullSuite, suiteSize } from '@homeport/platform/server/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Zip, ZipDeflate, zipSync } from 'fflate';
import { pack } from 'tar-stream';
import type { ArchiveFile, ArchiveFormat, SiteEntry } from '../../application/archive-reader.port';
import { ArchiveRejected } from '../../domain/archive.errors';
import type { ArchiveLimits } from '../../domain/archive-limits';
import { HOSTILE_ARCHIVES } from '../../../testing/archives/hostile-archives';
import { paxHeader, tarGzOf } from '../../../testing/archives/raw-tar';
import { zip64End, zip64Extra, zipOf } from '../../../testing/archives/raw-zip';
import { SpooledArchiveReader } from './spooled-archive-reader';

const MIB = 1024 * 1024;
const LIMITS: ArchiveLimits = { archiveBytes: 100 * MIB, unpackedBytes: 500 * MIB, files: 20_000, fileBytes: 50 * MIB };

const reader = new SpooledArchiveReader();
const { signal } = new AbortController();
let folder: string;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-archives-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function spool(bytes: Buffer, format: ArchiveFormat) {
  const file = join(folder, String(count++));
  await writeFile(file, bytes);
  return { file, format, archiveBytes: bytes.length };
}

type Site = Record<string, string | Buffer>;
const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The expected result of `examine`, without positions. */
const listingOf = (site: Site) =>
  Object.keys(site)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((path) => ({ path, size: Buffer.byteLength(site[path]!), digest: sha256(site[path]!) }));

const zipped = (site: Site, level: 0 | 9 = 9) =>
  Buffer.from(
    zipSync(Object.fromEntries(Object.entries(site).map(([name, data]) => [name, Buffer.from(data as string)])), {
      level,
    }),
  );

async function tarred(site: Site): Promise<Buffer> {
  const tar = pack();
  for (const [name, data] of Object.entries(site)) tar.entry({ name }, data);
  tar.finalize();
  return gzipSync(await buffer(tar as unknown as Readable));
}

const examine = (archive: ArchiveFile, limits = LIMITS) => reader.examine(archive, limits, signal);
const summary = (entries: readonly SiteEntry[]) => entries.map(({ path, size, digest }) => ({ path, size, digest }));

async function read(archive: ArchiveFile, wanted: readonly SiteEntry[]): Promise<Site> {
  const site: Site = {};
  const take = async ({ path }: SiteEntry, body: Readable) => void (site[path] = await buffer(body));
  await reader.extract(archive, wanted, take, signal);
  return site;
}

const SITE: Site = {
  'index.html': '<!doctype html><p>Good',
  'assets/main-ABCDEFGH.js': 'let a = 1;'.repeat(10_000),
  'assets/logo.bin': randomBytes(300_000),
  '.well-known/security.txt': 'Contact: mailto:ada@example.org',
  'empty.txt': '',
  'deep/er/and/deeper/ü.html': 'ü',
  [`${'long/'.repeat(40)}${'n'.repeat(200)}.html`]: 'long',
  'a!b (1) #2; 🎉.html': 'odd',
};

describe('a good archive', () => {
  const formats: [string, ArchiveFormat, (site: Site) => Promise<Buffer> | Buffer][] = [
    ['tar.gz', 'tar.gz', tarred],
    ['zip', 'zip', zipped],
    ['zip without compression', 'zip', (site) => zipped(site, 0)],
  ];

  it.each(formats)('as %s is read completely, and again in part', async (_, format, make) => {
    const archive = await spool(await make(SITE), format);
    const entries = await examine(archive);
    expect(summary(entries)).toEqual(listingOf(SITE));
    const all = await read(archive, entries);
    expect(
      Object.entries(all)
        .map(([path, bytes]) => [path, sha256(bytes)])
        .sort(),
    ).toEqual(entries.map(({ path, digest }) => [path, digest]).sort());
    const some = entries.filter(({ path }) => path.startsWith('assets/'));
    expect(Object.keys(await read(archive, some)).sort()).toEqual(some.map(({ path }) => path).sort());
    expect(await read(archive, [])).toEqual({});
  });

  it.each(formats)('as %s loses its top-level folder and system files', async (_, format, make) => {
    const site = {
      'dist/index.html': 'x',
      'dist/.well-known/a': 'a',
      'dist/.DS_Store': 'x',
      'dist/.git/HEAD': 'x',
      '__MACOSX/dist/._index.html': 'x',
      '__MACOSX/._dist': 'x',
      '.DS_Store': 'x',
    };
    const entries = await examine(await spool(await make(site), format));
    expect(summary(entries)).toEqual(listingOf({ 'index.html': 'x', '.well-known/a': 'a' }));
  });

  it("created by the system's tar is read", async () => {
    const source = join(folder, 'real');
    for (const [path, data] of Object.entries(SITE)) {
      await mkdir(dirname(join(source, path)), { recursive: true });
      await writeFile(join(source, path), data);
    }
    const file = join(folder, 'real.tar.gz');
    await promisify(execFile)('tar', ['-czf', file, '-C', source, '.']);
    const entries = await examine({ file, format: 'tar.gz', archiveBytes: (await stat(file)).size });
    expect(summary(entries)).toEqual(listingOf(SITE));
  });

  it('may have names in the old encoding and zip64 records', async () => {
    const latin = zipOf([{ name: Buffer.from('caf\x82.html', 'latin1'), data: 'x' }]);
    expect(summary(await examine(await spool(latin, 'zip')))).toEqual(listingOf({ 'café.html': 'x' }));
    const data = 'x'.repeat(50);
    const big = {
      name: 'a.html',
      data,
      method: 0,
      size: 0xffffffff,
      compressedSize: 0xffffffff,
      extra: zip64Extra(50n, 50n),
    };
    const parts = [big, { name: 'dir/', method: 0 }];
    const plain = zipOf(parts);
    const directoryOffset = BigInt(plain.indexOf('PK\x01\x02', 0, 'latin1'));
    const recordOffset = BigInt(plain.indexOf('PK\x05\x06', 0, 'latin1'));
    const beforeEnd = zip64End({ count: 2n, directoryOffset, recordOffset });
    const zip64 = zipOf(parts, { count: 0xffff, directoryOffset: 0xffffffff, beforeEnd });
    expect(summary(await examine(await spool(zip64, 'zip')))).toEqual(listingOf({ 'a.html': data }));
  });

  it('may be a streamed zip with sizes after the data', async () => {
    const chunks: Uint8Array[] = [];
    const zip = new Zip((_, chunk) => chunks.push(chunk));
    for (const name of ['index.html', 'a/b.js']) {
      const file = new ZipDeflate(name);
      zip.add(file);
      file.push(Buffer.from('x'.repeat(5000)));
      file.push(Buffer.from('y'), true);
    }
    zip.end();
    const data = `${'x'.repeat(5000)}y`;
    const entries = await examine(await spool(Buffer.concat(chunks), 'zip'));
    expect(summary(entries)).toEqual(listingOf({ 'index.html': data, 'a/b.js': data }));
  });

  it('may be a tar without end blocks, several gzip members, or a tar with pax names', async () => {
    const parts = [{ name: 'index.html', body: 'x' }] as const;
    const open = gzipSync(gunzipSync(tarGzOf(...parts)).subarray(0, 1024));
    expect(await examine(await spool(open, 'tar.gz'))).toHaveLength(1);
    const tar = gunzipSync(tarGzOf(...parts));
    const members = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    expect(await examine(await spool(members, 'tar.gz'))).toHaveLength(1);
    const renamed = tarGzOf(paxHeader({ path: 'e\u0301/é.html' }), { name: 'x', body: 'x' });
    expect(summary(await examine(await spool(renamed, 'tar.gz')))).toEqual(listingOf({ 'é.html': 'x' }));
  });

  it('may have a high compression ratio while it is small', async () => {
    const site = { 'index.html': '\0'.repeat(4 * MIB) };
    expect(await examine(await spool(zipped(site), 'zip'))).toHaveLength(1);
    expect(await examine(await spool(await tarred(site), 'tar.gz'))).toHaveLength(1);
  });
});

describe('the reader', () => {
  const formats: [ArchiveFormat, () => Promise<Buffer>][] = [
    ['tar.gz', () => tarred(SITE)],
    ['zip', async () => zipped(SITE)],
  ];

  it('names up to fifty rejected entries, and counts the others', async () => {
    const names = Array.from({ length: 70 }, (_, i) => ({ name: `../${i}` }));
    const refusal = await examine(await spool(tarGzOf(...names), 'tar.gz')).catch((e: unknown) => e);
    expect(refusal).toMatchObject({ kind: 'unprocessable', code: 'apps.archive-rejected' });
    const { fields, message } = refusal as ArchiveRejected;
    expect(fields).toHaveLength(51);
    expect(fields[0]).toEqual({ field: '../0', reason: 'The name leaves the site with "..".' });
    expect(fields[50]).toEqual({ field: 'archive', reason: '20 more entries were rejected.' });
    expect(message).toBe('The archive has 70 problems. The first: "../0": The name leaves the site with "..".');
  });

  it.each(formats)('continues in %s after a body that was not read', async (format, make) => {
    const archive = await spool(await make(), format);
    const entries = await examine(archive);
    const taken: string[] = [];
    const skip = async ({ path }: SiteEntry) => void taken.push(path);
    await reader.extract(archive, entries, skip, signal);
    const destroy = async ({ path }: SiteEntry, body: Readable) => void (taken.push(path), body.destroy());
    await reader.extract(archive, entries, destroy, signal);
    const begin = async ({ path }: SiteEntry, body: Readable) => {
      await body[Symbol.asyncIterator]().next();
      taken.push(path);
    };
    await reader.extract(archive, entries, begin, signal);
    expect(taken).toHaveLength(3 * entries.length);
  });

  it.each(formats)('passes on errors of the callback that takes the files of a %s', async (format, make) => {
    const archive = await spool(await make(), format);
    const entries = await examine(archive);
    const failure = new Error('the store is unavailable');
    const take = () => Promise.reject(failure);
    await expect(reader.extract(archive, entries, take, signal)).rejects.toBe(failure);
    await expectClosed(archive.file);
  });

  it.each(formats)('stops reading a %s when the signal is aborted, and closes the file', async (format, make) => {
    const archive = await spool(await make(), format);
    const entries = await examine(archive);
    await expectClosed(archive.file);
    const reason = new Error('aborted');
    await expect(reader.examine(archive, LIMITS, AbortSignal.abort(reason))).rejects.toBe(reason);
    const stop = new AbortController();
    const examining = reader.examine(archive, LIMITS, stop.signal);
    stop.abort(reason);
    await expect(examining).rejects.toBe(reason);
    const late = new AbortController();
    const take = async (_: SiteEntry, body: Readable) => {
      late.abort(reason);
      await buffer(body);
    };
    await expect(reader.extract(archive, entries, take, late.signal)).rejects.toBe(reason);
    await expectClosed(archive.file);
  });

  it.each(formats)('throws the system error when the %s cannot be read', async (format) => {
    const absent = { file: join(folder, 'absent'), format, archiveBytes: 10 };
    await expect(examine(absent)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it.each(formats)('rejects a corrupted %s, or reads its content', async (format, make) => {
    const good = await make();
    const corruption = fc.record({
      at: fc.nat(good.length - 1),
      byte: fc.nat(255),
      how: fc.constantFrom('set', 'cut', 'drop', 'double'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(corruption, { minLength: 1, maxLength: 4 }), async (corruptions) => {
        const archive = await spool(corruptions.reduce(corrupt, good), format);
        const entries = await examine(archive).catch((error: unknown) => {
          if (error instanceof ArchiveRejected) return [];
          throw error;
        });
        for (const { path } of entries) expect(path).not.toMatch(/^\/|(^|\/)\.\.?(\/|$)|\\|\p{Cc}|\/\/|\/$/u);
        const bytes = await read(archive, entries);
        for (const { path, digest } of entries) expect(sha256(bytes[path]!)).toBe(digest);
        await rm(archive.file);
      }),
      { numRuns: suiteSize(15, 400) },
    );
  });
});

function corrupt(bytes: Buffer, { at, byte, how }: { at: number; byte: number; how: string }): Buffer {
  const position = Math.min(at, bytes.length);
  const [before, after] = [bytes.subarray(0, position), bytes.subarray(position)];
  if (how === 'set') return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (how === 'cut') return before;
  if (how === 'drop') return Buffer.concat([before, after.subarray(1 + (byte % 16))]);
  return Buffer.concat([before, after.subarray(0, byte), after]);
}

/** Fails while this process has the file open. Checks only systems with /proc. */
async function expectClosed(file: string): Promise<void> {
  const numbers = await readdir('/proc/self/fd').catch(() => []);
  const files = await Promise.all(numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')));
  expect(files).not.toContain(file);
}

describe('a hostile archive', () => {
  it('comes from a large set with unique names', () => {
    expect(HOSTILE_ARCHIVES.length).toBeGreaterThanOrEqual(400);
    expect(new Set(HOSTILE_ARCHIVES.map(({ name }) => name)).size).toBe(HOSTILE_ARCHIVES.length);
  });

  /** The gate reads the slow ones through the API only (hostile-archives.e2e.ts). */
  const examined = HOSTILE_ARCHIVES.filter(({ isSlow }) => isFullSuite || !isSlow);
  it.each(examined.map((archive) => [archive.name, archive] as const))('%s', async (_, hostile) => {
    const archive = await spool(hostile.bytes(), hostile.format);
    const refusal: unknown = await reader.examine(archive, { ...LIMITS, ...hostile.limits }, signal).catch((e) => e);
    expect(refusal).toBeInstanceOf(ArchiveRejected);
    const { fields, message } = refusal as ArchiveRejected;
    expect(fields.map(({ reason }) => reason).join('\n')).toMatch(hostile.expectedReason);
    expect(message).not.toMatch(/\p{Cc}/u);
  });
});
