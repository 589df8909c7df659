import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { SpooledArchiveReader } from '../adapters/archive/spooled-archive-reader';
import { InMemoryApps } from '../../shared/adapters/memory/in-memory-apps';
import { InMemoryBlobLedger } from '../../blobs/adapters/memory/in-memory-blob-ledger';
import { ArchiveRejected } from '../domain/archive.errors';
import { digestOf } from '../../testing/deploy-fixtures';
import { tarGzOf, type TarPart } from '../../testing/archives/raw-tar';
import { RecordingBlobStore } from '@homeport/platform/server/testing';
import { SiteUnpacker } from './site-unpacker';
import { SpoolFolder } from '../../blobs/application/spool-folder';
import type { UploadSpool } from '../../blobs/application/upload-spool';

const MIB = 1024 * 1024;
const limits = { archiveBytes: 64 * MIB, unpackedBytes: 64 * MIB, files: 5_000, fileBytes: 16 * MIB };
const START: TarPart = { name: 'index.html', body: '<h1>Hello</h1>' };

describe('SiteUnpacker', () => {
  let store: InMemoryApps;
  let blobs: RecordingBlobStore;
  let unpacker: SiteUnpacker;
  const spools = new SpoolFolder();
  let spool: UploadSpool;

  beforeEach(async () => {
    store = new InMemoryApps();
    blobs = new RecordingBlobStore();
    spool = await spools.createSpool();
    const ledger = new InMemoryBlobLedger(store);
    unpacker = new SiteUnpacker({ reader: new SpooledArchiveReader(), ledger, blobs, limits });
  });
  afterEach(() => spool.close());
  afterAll(() => spools.close());

  const unpack = async (
    parts: readonly TarPart[],
    organization = 'northwind',
    signal = new AbortController().signal,
    pauseIdle: () => () => void = () => () => undefined,
  ) => {
    const bytes = tarGzOf(...parts);
    const file = join(spool.folder, 'archive');
    await writeFile(file, bytes);
    const archive = { file, format: 'tar.gz', archiveBytes: bytes.length } as const;
    return unpacker.unpack({ organization, archive, spool, signal, pauseIdle });
  };

  it('returns the files of a site, each with its blob', async () => {
    const script = 'answer(42);'.repeat(500);
    const { files, problems } = await unpack([START, { name: 'assets/app.js', body: script }]);
    expect(files).toEqual([
      {
        path: 'assets/app.js',
        size: script.length,
        digest: digestOf(script),
        contentType: 'text/javascript; charset=utf-8',
        blobId: expect.any(String),
      },
      {
        path: 'index.html',
        size: 14,
        digest: digestOf('<h1>Hello</h1>'),
        contentType: 'text/html; charset=utf-8',
        blobId: expect.any(String),
      },
    ]);
    expect(problems).toEqual([]);
    const coded = store.blobs.get(files[0]!.blobId!);
    expect(coded).toMatchObject({ state: 'stored', size: script.length, brSize: expect.any(Number) });
    expect(store.blobs.get(files[1]!.blobId!)).toMatchObject({ state: 'stored', brSize: undefined });
  });

  it('stores the same bytes once per organization, regardless of file names', async () => {
    const twice = [START, { name: 'a.txt', body: 'same' }, { name: 'b/c.txt', body: 'same' }];
    const { files } = await unpack(twice);
    expect(files[0]?.blobId).toBe(files[1]?.blobId);
    expect(blobs.stored.splice(0)).toHaveLength(2);
    await unpack(twice);
    expect(blobs.stored).toEqual([]);
    const { files: others } = await unpack(twice, 'globex');
    expect(blobs.stored).toHaveLength(2);
    expect(others[0]?.blobId).not.toBe(files[0]?.blobId);
  });

  it('pauses the idle limit for each wait to compress a file, and ends each pause', async () => {
    let [begun, ended] = [0, 0];
    const pauseIdle = () => {
      begun += 1;
      return () => void (ended += 1);
    };
    const scripts = Array.from({ length: 6 }, (_, i) => ({ name: `${i}.js`, body: `answer(${i});`.repeat(5_000) }));
    await unpack([START, ...scripts], 'northwind', new AbortController().signal, pauseIdle);
    // Each script is compressed with Brotli and gzip.
    expect([begun, ended]).toEqual([12, 12]);
  });

  it('reads the rule files, and does not store them as blobs', async () => {
    const rule = '/old /new 301\n';
    const site = [START, { name: '_redirects', body: rule }, { name: 'copy.txt', body: rule }];
    for (const expected of [2, 0]) {
      const { files, rules } = await unpack(site);
      expect(rules.redirects).toHaveLength(1);
      expect(files.map(({ path, blobId }) => [path, blobId !== undefined])).toEqual([
        ['_redirects', false],
        ['copy.txt', true],
        ['index.html', true],
      ]);
      expect(blobs.stored.splice(0)).toHaveLength(expected);
    }
  });

  it('skips a rule file that is too large, and reports it', async () => {
    const { rules, problems } = await unpack([START, { name: '_headers', body: Buffer.alloc(4 * MIB + 1, '#') }]);
    expect(rules).toEqual({ redirects: [], headers: [] });
    expect(problems).toEqual([{ path: '_headers', line: null, reason: expect.stringContaining('too large') }]);
  });

  it('accepts many files and large files', async () => {
    const small = Array.from({ length: 4_500 }, (_, i) => ({ name: `f/${i}.txt`, body: `file ${i}` }));
    const large = Array.from({ length: 4 }, (_, i) => ({
      name: `l/${i}.js`,
      body: randomBytes(MIB).toString('base64'),
    }));
    const { files } = await unpack([START, ...small, ...large]);
    expect(files).toHaveLength(4_505);
    for (const { blobId, digest } of files) expect(store.blobs.get(blobId!)).toMatchObject({ digest, state: 'stored' });
    expect(blobs.stored.filter(({ isStreamed }) => isStreamed)).toHaveLength(12);
  });

  it('stores nothing of an archive that is rejected at its end', async () => {
    const climbing = { name: '../last.html', body: 'no' };
    await expect(unpack([START, climbing])).rejects.toBeInstanceOf(ArchiveRejected);
    expect([blobs.stored, store.blobs.size]).toEqual([[], 0]);
  });

  it('rejects with the reason of the signal', async () => {
    const abort = new AbortController();
    const reason = new Error('aborted');
    blobs.before = async () => abort.abort(reason);
    const parts = Array.from({ length: 30 }, (_, i) => ({ name: `${i}.txt`, body: `file ${i}` }));
    await expect(unpack([START, ...parts], 'northwind', abort.signal)).rejects.toBe(reason);
    expect(blobs.stored).toEqual([]);
    for (const { state } of store.blobs.values()) expect(state).toBe('storing');
  });
});
