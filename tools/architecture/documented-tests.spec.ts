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

describe('docs/asvs.md', () => {
  it('counts the requirements of its tables', () => {
    const text = readFileSync(join(root, 'docs/asvs.md'), 'utf8');
    const rows = [...text.matchAll(/^\| *([\d., ]+?) *\|.*\| *(met|partly|not met) *\|/gm)];
    const states = rows.flatMap(([, ids = '', state]) => ids.split(', ').map(() => state));
    const count = (state: string) => states.filter((each) => each === state).length;
    const totals = `${count('met')} are met, ${count('partly')} partly and ${count('not met')} not.`;
    expect(text).toContain(`Of ${states.length} requirements that apply, ${totals}`);
    const ids = rows.flatMap(([, list = '']) => list.split(', '));
    expect(ids).toEqual([...new Set(ids)]);
  });
});
