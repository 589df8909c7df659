import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const LINK = /\]\(([^)\s]+)\)/g;
const BLOCK = /^([ \t]*)(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm;

/** Without blocks and spans of code, which contain examples of Markdown. */
function proseOf(text: string): string {
  return text.replaceAll(BLOCK, '').replaceAll(/`[^`\n]*`/g, '');
}

/** The anchor of a heading, as GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function anchorsIn(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const blocks = text.replaceAll(BLOCK, '');
  for (const [, heading = ''] of blocks.matchAll(/^#{1,6} (.*)$/gm)) {
    const anchor = anchorOf(heading);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

/** @returns the relative links of a page that lead to no file of the repository, or to no heading of a page. */
function brokenLinksIn(page: string, text: string): string[] {
  const targets = [...proseOf(text).matchAll(LINK)].map(([, target = '']) => target);
  return targets.filter((target) => {
    if (/^[a-z][a-z+.-]*:/i.test(target)) return false;
    const [path = '', anchor] = target.split('#', 2);
    const file = path === '' ? page : resolve(dirname(page), decodeURIComponent(path));
    if (file !== page && (!existsSync(file) || relative(root, file).startsWith('..'))) return true;
    if (anchor === undefined || anchor === '') return anchor === '';
    if (!file.endsWith('.md')) return true;
    return !anchorsIn(file === page ? text : readFileSync(file, 'utf8')).has(decodeURIComponent(anchor));
  });
}

describe('the links of the documents', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: root });
  const pages = listed
    .toString()
    .trim()
    .split('\n')
    .filter((page) => existsSync(resolve(root, page)));

  it('lead to files and headings of the repository', () => {
    expect(pages.length).toBeGreaterThan(100);
    const broken = pages.flatMap((page) => {
      const file = resolve(root, page);
      return brokenLinksIn(file, readFileSync(file, 'utf8')).map((target) => `${page}: ${target}`);
    });
    expect(broken).toEqual([]);
  });

  const page = resolve(root, 'page.md');

  it.each([
    '[a](missing.md)',
    '[a](#missing)',
    '[a](README.md#missing)',
    '[a](../outside.md)',
    '![a](docs/images/missing.jpg)',
    '[a](README.md#)',
  ])('reports %s', (text) => {
    expect(brokenLinksIn(page, text)).toHaveLength(1);
  });

  it.each([
    '[a](README.md)',
    '[a](docs/decisions)',
    '[a](README.md#run-it)',
    '[a](https://example.com/missing.md)',
    '```sh\n[a](missing.md)\n```\n',
    '`[a](missing.md)`',
    '## Apps under attack: `npm run bench:attacks`\n[a](#apps-under-attack-npm-run-benchattacks)',
    '## Twice\n## Twice\n[a](#twice-1)',
  ])('accepts %j', (text) => {
    expect(brokenLinksIn(page, text)).toEqual([]);
  });
});
