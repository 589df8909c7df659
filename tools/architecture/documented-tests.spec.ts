import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const PAGES = ['SECURITY.md', 'docs/asvs.md', 'docs/isolation.md', 'docs/limits.md', 'docs/reliability.md'];
const page = PAGES.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
const files = globSync('{apps,libs,tools}/**/*.ts', { cwd: root, exclude: (name) => name === 'node_modules' });

describe('the pages that name tests', () => {
  const named = [...new Set([...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name as string))];

  it('are these, and name tests', () => {
    expect(named.filter((name) => /\.(spec|e2e|contract)\.ts$/.test(name)).length).toBeGreaterThan(20);
  });

  it.each(named)('name %s, which is there', (name) => {
    expect(files.filter((file) => `/${file}`.endsWith(`/${name}`))).toHaveLength(1);
  });
});
