import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodePath, candidateFiles, parseRequestPath } from './request-path';

describe('parseRequestPath', () => {
  it.each([
    ['/', { path: '', isFolder: true }],
    ['/a', { path: 'a', isFolder: false }],
    ['/a/', { path: 'a', isFolder: true }],
    ['/a/b.c', { path: 'a/b.c', isFolder: false }],
    ['/%61%20b', { path: 'a b', isFolder: false }],
    ['/%2561', { path: '%61', isFolder: false }],
    ['/u%CC%88', { path: '\u00fc', isFolder: false }],
    ['/...', { path: '...', isFolder: false }],
    ['/a;b=c', { path: 'a;b=c', isFolder: false }],
    ['//', { path: undefined, isFolder: true }],
    ['/a//b', { path: undefined, isFolder: false }],
    ['//evil.example', { path: undefined, isFolder: false }],
    [`/${'a'.repeat(1_025)}`, { path: undefined, isFolder: false }],
  ])('reads %s', (raw, target) => {
    expect(parseRequestPath(raw)).toEqual(target);
  });

  it.each(
    [
      '',
      'a',
      '*',
      '/..',
      '/../',
      '/a/..',
      '/.',
      '/%2e%2e',
      '/%2E',
      '/a%2Fb',
      '/a%5cb',
      '/a\\b',
      '/%00',
      '/%0A',
      '/%7f',
    ].concat(['/%', '/%4', '/%gg', '/%ff', '/%c0%ae', '/%ed%a0%80', '/\ud800', '/a/%2e%2e/b']),
  )('rejects %j', (raw) => {
    expect(parseRequestPath(raw)).toBeUndefined();
  });

  it('accepts no path that leaves the site, and reads back encoded paths', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const path = parseRequestPath(`/${text}`)?.path;
        if (path === undefined) return;
        for (const segment of path.split('/')) expect(['.', '..']).not.toContain(segment);
        expect(path).not.toMatch(/[\p{Cc}\\]|^\/|\/\//u);
        if (path !== '') expect(parseRequestPath(encodePath(path))).toEqual({ path, isFolder: false });
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('candidateFiles', () => {
  it.each([
    ['/', ['index.html']],
    ['/a', ['a', 'a.html', 'a/index.html']],
    ['/a/', ['a/index.html', 'a.html']],
    ['/_redirects', []],
    ['/_headers', []],
    ['/a//b', []],
    ['/a/_headers', ['a/_headers', 'a/_headers.html', 'a/_headers/index.html']],
  ])('lists the candidate files for %s', (raw, candidates) => {
    expect(candidateFiles(parseRequestPath(raw)!)).toEqual(candidates);
  });
});
