import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const page = ['SECURITY.md', 'docs/isolation.md', 'docs/limits.md']
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');
const files = globSync('{apps,libs,tools}/**/*.ts', { cwd: root, exclude: (name) => name === 'node_modules' });

describe('SECURITY.md, docs/isolation.md and docs/limits.md', () => {
  const named = [...new Set([...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name as string))];

  it('names tests', () => {
    expect(named.filter((name) => /\.(spec|e2e|contract)\.ts$/.test(name)).length).toBeGreaterThan(20);
  });

  it.each(named)('names %s, which is there', (name) => {
    expect(files.filter((file) => `/${file}`.endsWith(`/${name}`))).toHaveLength(1);
  });
});
