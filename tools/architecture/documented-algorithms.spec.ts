import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const PROGRAMS = ['apps/{api,edge,runtime,cli}/src/**/*.ts', 'libs/*/server/src/**/*.ts', 'libs/kernel/src/**/*.ts'];
const NOT_RUNNING = /\.(spec|contract|e2e)\.ts$|\/testing\//;
/** Names of algorithms as Node.js, `jose` and OpenSSL take them. */
const NAMES = [
  /\b(?:createCipheriv|createDecipheriv|createHash|createHmac|createSign|hash|hkdfSync|sign)\(\s*'([\w-]+)'/g,
  /\b(?:alg|algorithm|code_challenge_method|hash|namedCurve): '([\w-]+)'/g,
  /'(hmac-sha\d+|(?:TLS_|ECDHE-)[\w-]+|(?:RS|PS|ES|HS)\d{3}|EdDSA)'/g,
];

function algorithmsIn(code: string): string[] {
  return NAMES.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name));
}

/** Without case and separators: the page has `SHA-256` for `sha256`. */
const plain = (text: string) => text.toLowerCase().replaceAll(/[-_]/g, '');

describe('the algorithms in docs/key-rotation.md', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/key-rotation.md'), 'utf8').split('\n## Algorithms\n');
  const files = PROGRAMS.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(
    (file) => !NOT_RUNNING.test(file),
  );
  const used = [...new Set(files.flatMap((file) => algorithmsIn(readFileSync(join(root, file), 'utf8'))))];

  it('are found in calls of every form', () => {
    const code = `createHash('a'); createCipheriv(\n  'b-1', key); sign('c', x); { alg: 'd' }; ['hmac-sha1', 'TLS_X-Y', 'HS256']`;
    expect(algorithmsIn(code).toSorted()).toEqual(['HS256', 'TLS_X-Y', 'a', 'b-1', 'c', 'd', 'hmac-sha1']);
  });

  it('name each algorithm that the programs name', () => {
    expect(used).toEqual(expect.arrayContaining(['aes-256-gcm', 'sha256', 'ES256', 'HS256', 'S256', 'P-256']));
    const words = plain(section);
    expect(used.filter((name) => !words.includes(plain(name)))).toEqual([]);
  });
});
