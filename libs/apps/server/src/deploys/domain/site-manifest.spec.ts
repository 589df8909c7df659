import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '@homeport/kernel';
import { HOSTILE_NAMES } from '../../testing/archives/hostile-names';
import { digestOf } from '../../testing/deploy-fixtures';
import { ArchiveRejected } from './archive.errors';
import { filesToPublish, formatDigest, maxManifestBytes, parseDigest, parseManifest } from './site-manifest';

const MIB = 1024 * 1024;
const limits = { archiveBytes: MIB, unpackedBytes: 10 * MIB, files: 20, fileBytes: 4 * MIB };
const file = (text: string, size = 3) => ({ digest: formatDigest(digestOf(text)), size });
const publish = (files: object) => filesToPublish(parseManifest(JSON.stringify({ files })), limits);

function rejectionOf(files: object): ArchiveRejected {
  try {
    publish(files);
  } catch (error) {
    return error as ArchiveRejected;
  }
  throw new Error('The manifest was accepted.');
}

describe('a manifest', () => {
  it('is published like an archive: without a common folder and ignored files, in the order of the paths', () => {
    const files = {
      'dist/b.html': file('b'),
      'dist/.env': file('env'),
      'dist/a/ü.js': file('a'),
      '.DS_Store': file('x'),
    };
    expect(publish(files)).toEqual([
      { path: 'a/ü.js', size: 3, digest: digestOf('a') },
      { path: 'b.html', size: 3, digest: digestOf('b') },
    ]);
  });

  it('keeps names of inherited fields', () => {
    const manifest = parseManifest(
      `{"files":{"__proto__":${JSON.stringify(file('p'))},"constructor":${JSON.stringify(file('c'))}}}`,
    );
    expect(filesToPublish(manifest, limits).map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
  });

  it.each(HOSTILE_NAMES.filter(([name]) => typeof name === 'string') as [string, RegExp][])(
    'rejects the name %j',
    (name) => {
      const error = rejectionOf({ 'index.html': file('i'), [name]: file('x') });
      expect(error).toBeInstanceOf(ArchiveRejected);
      expect(error.fields).toHaveLength(1);
    },
  );

  it('rejects conflicting names, and too many or too large files', () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`${i}.html`, file('x')]));
    const entries = Object.fromEntries(Array.from({ length: 81 }, (_, i) => [`.hidden/${i}`, file('x')]));
    for (const files of [
      { 'A.html': file('1'), 'a.html': file('2') },
      { a: file('1'), 'a/b': file('2') },
      { 'a.html': file('1', 4 * MIB + 1) },
      { 'a.html': file('1', 4 * MIB), 'b.html': file('2', 4 * MIB), 'c.html': file('3', 4 * MIB) },
      { 'a.html': file('1', 3), 'b.html': file('1', 4) },
      many,
      entries,
      {},
    ]) {
      expect(rejectionOf(files)).toBeInstanceOf(ArchiveRejected);
    }
  });

  it('names up to 50 invalid files', () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`${i}.html`, { size: 1 }]));
    const parse = () => parseManifest(JSON.stringify({ files }));
    expect(parse).toThrow(InvalidRequest);
    try {
      parse();
    } catch (error) {
      expect((error as InvalidRequest).fields).toHaveLength(50);
    }
  });

  it('writes digests in one way only', () => {
    const digest = digestOf('x');
    expect(parseDigest(formatDigest(digest))).toBe(digest);
    for (const other of [
      digest,
      `sha256:${digest}0`,
      `sha256:${digest.toUpperCase()}`,
      `sha-256:${digest}`,
      ` sha256:${digest}`,
    ])
      expect(parseDigest(other)).toBeUndefined();
  });

  it('may have the paths of all allowed files', () => {
    const { files } = { files: 20_000 };
    const described = Array.from({ length: files }, (_, i) => [`${'a'.repeat(240)}-${i}`, file(`${i}`, 1_000_000)]);
    const text = JSON.stringify({ files: Object.fromEntries(described) });
    expect(Buffer.byteLength(text)).toBeLessThan(maxManifestBytes({ ...limits, files }));
  });
});
