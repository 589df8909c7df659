import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/glossary.md'), 'utf8');

describe('the glossary', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('|'));
  const terms = rows.slice(2).map((row) => row.split('|')[1]?.replaceAll(/[`*]/g, '').trim().toLowerCase() ?? '');
  const paths = [...page.matchAll(/`((?:apps|libs|tools)\/[^`*]+)`/g)].map(([, path]) => path as string);

  it('is sorted and has each term once', () => {
    expect(terms).toEqual([...new Set(terms)].sort());
  });

  it('names files that exist', () => {
    expect(paths.length).toBeGreaterThan(200);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
