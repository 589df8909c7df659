import { describe, expect, it } from '@jest/globals';
import { ArchiveRejected } from './archive.errors';
import { SiteListing } from './site-listing';

const LIMITS = { archiveBytes: 1000, unpackedBytes: 1000, files: 3, fileBytes: 100 };

function listed(...names: string[]): string[] {
  const listing = new SiteListing(LIMITS);
  names.forEach((name, position) => {
    const kind = name.endsWith('/') ? 'folder' : 'file';
    const path = listing.admit(name, kind, 1);
    if (path !== undefined) listing.add({ path, size: 1, digest: '', position });
  });
  return listing.finish().map(({ path }) => path);
}

describe('SiteListing', () => {
  it.each([
    [
      ['b', 'a'],
      ['a', 'b'],
    ],
    [
      ['dist/', 'dist/a', 'dist/b/c'],
      ['a', 'b/c'],
    ],
    [['dist/a', 'src/', '.git/HEAD', '__MACOSX/._a'], ['a']],
    [['.output/index.html', '.output/.env', '.DS_Store'], ['index.html']],
    [['dist/.well-known/a'], ['.well-known/a']],
    [['.well-known/a'], ['.well-known/a']],
    [
      ['dist/site/a', 'dist/site/b'],
      ['site/a', 'site/b'],
    ],
    [
      ['z', 'ü', '\u{10000}'],
      ['z', 'ü', '\u{10000}'],
    ],
    [
      ['dist/A', 'src/', 'dist/a.b'],
      ['A', 'a.b'],
    ],
  ])('lists %j as %j', (names, paths) => {
    expect(listed(...names)).toEqual(paths);
  });

  it.each([
    [['../a'], /leaves the site/],
    [['.git/../../a', 'b'], /leaves the site/],
    [['dist/a', 'dist/A'], /upper and lower case/],
    [['a', 'b', 'c', 'd'], /more than 3 files/],
    [['.x/a', '.x/b', '.x/c', '.x/d'], /more than 3 files/],
    [['site.tar.gz'], /nested/],
    [['dist/site.zip'], /nested/],
    [['.env'], /empty/],
    [['.git/HEAD'], /empty/],
  ])('rejects %j', (names, reason) => {
    expect(() => listed(...names)).toThrow(reason);
  });

  it('accepts an archive among other files', () => {
    expect(listed('download.zip', 'index.html')).toHaveLength(2);
  });

  it('checks the size of hidden files only when they are published', () => {
    const hidden = { path: '.x/big', size: 500, digest: '', position: 0 };
    const alone = new SiteListing(LIMITS);
    expect(alone.admit('.x/big', 'file', 500)).toBe('.x/big');
    expect(() => alone.admit('x/big', 'file', 500)).toThrow('"x/big": The file is larger than 100 bytes.');
    alone.add(hidden);
    expect(() => alone.finish()).toThrow('larger than 100 bytes');
    const beside = new SiteListing(LIMITS);
    beside.add(hidden);
    beside.add({ path: 'index.html', size: 1, digest: '', position: 1 });
    expect(beside.finish()).toHaveLength(1);
  });

  it('accepts 5 MiB of paths of files and folders, or 256 bytes for each allowed file', () => {
    const admitAll = (files: number) => {
      const listing = new SiteListing({ ...LIMITS, files });
      let bytes = 0;
      try {
        for (let i = 0; i < 50_000; i += 1) {
          const path = `${String(i).padStart(6, '0')}/${'n'.repeat(243)}`;
          listing.admit(path, 'folder', 0);
          bytes += path.length;
        }
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringMatching(/are longer than \d+ MiB in total/) });
      }
      return bytes;
    };
    const MIB = 1024 * 1024;
    expect(admitAll(20_000)).toBe(5 * MIB - ((5 * MIB) % 250));
    expect(admitAll(40_000)).toBe(40_000 * 256 - ((40_000 * 256) % 250));
  });

  it('does not count hidden files that are not published', () => {
    const listing = new SiteListing({ ...LIMITS, files: 3 });
    const hidden = (from: number) => {
      for (let i = from; i < from + 15_000; i += 1)
        listing.admit(`.git/${String(i).padStart(6, '0')}${'n'.repeat(189)}`, 'file', 0);
    };
    hidden(0);
    listing.add({ path: '.git/HEAD', size: 1, digest: '', position: 0 });
    listing.admit('index.html', 'file', 1);
    listing.add({ path: 'index.html', size: 1, digest: '', position: 1 });
    hidden(15_000);
    expect(listing.finish()).toHaveLength(1);
  });

  it('adds the faults found before the reading ended', () => {
    const listing = new SiteListing(LIMITS);
    const damage = ArchiveRejected.forArchive('It is damaged.');
    expect(listing.withFaults(damage)).toBe(damage);
    listing.reject('a\nb', 'It is odd.');
    const failure = new Error('disk failure');
    expect(listing.withFaults(failure)).toBe(failure);
    expect(listing.withFaults(damage)).toMatchObject({
      fields: [
        { field: 'a\ufffdb', reason: 'It is odd.' },
        { field: 'archive', reason: 'It is damaged.' },
      ],
    });
  });
});
