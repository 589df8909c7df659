import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompiledRedirects } from './compiled-redirects';
import { parseRedirects, type RedirectRule } from './redirect-rules';

/** The result of the first rule that matches on its own. */
function findOneByOne(rules: readonly RedirectRule[], path: string, query: string) {
  for (const rule of rules) {
    const found = new CompiledRedirects([rule]).find(path, query);
    if (found) return found;
  }
  return undefined;
}

const segment = fc.constantFrom('a', 'b', '%2F', 'ü');
const paths = fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const queries = fc.array(fc.constantFrom('a=1', 'b=1', 'a=2', 'a=', 'c'), { maxLength: 3 }).map((all) => all.join('&'));
const conditions = fc.array(fc.constantFrom('a=1', 'b=1', 'a=:a', 'b=:b'), { maxLength: 2 });
const patterns = fc
  .tuple(fc.array(fc.oneof(segment, fc.constantFrom(':x', ':y')), { maxLength: 3 }), fc.boolean())
  .map(([segments, open]) => `/${[...segments, ...(open ? ['*'] : [])].join('/')}`);
const files = fc
  .array(fc.tuple(patterns, conditions), { maxLength: 40 })
  .map((lines) => lines.map(([from, wanted], i) => `${from} ${wanted.join(' ')} https://x.example/${i}`).join('\n'));

describe('CompiledRedirects', () => {
  it('finds the same as trying the rules one after the other', () => {
    fc.assert(
      fc.property(files, fc.array(fc.tuple(paths, queries), { maxLength: 10 }), (file, requests) => {
        const { rules, problems } = parseRedirects(file);
        expect(problems).toEqual([]);
        const compiled = new CompiledRedirects(rules);
        for (const [path, query] of requests) {
          expect(compiled.find(path, query)).toEqual(findOneByOne(rules, path, query));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('checks the first fifty parameters of a query', () => {
    const compiled = new CompiledRedirects(parseRedirects('/a id=1 /b').rules);
    const padded = (count: number) => `${'x=y&'.repeat(count)}id=1`;
    expect(compiled.find('/a', padded(49))).toEqual({ status: 301, location: `/b` });
    expect(compiled.find('/a', padded(50))).toBeUndefined();
  });

  it('finds no redirect when the target is too long for a header', () => {
    const compiled = new CompiledRedirects(parseRedirects(`/a/* /b${'/:splat'.repeat(70)}`).rules);
    expect(compiled.find(`/a/${'c'.repeat(100)}`, '')).toMatchObject({ status: 301 });
    expect(compiled.find(`/a/${'c'.repeat(1_000)}`, '')).toBeUndefined();
  });

  it('applies the limits to stored rules too', () => {
    const from = (i: number) =>
      [...i.toString(2).padStart(11, '0')].map((bit) => (bit === '0' ? '/a' : '/:a')).join('');
    const stored = Array.from({ length: 2_000 }, (_, i) => ({ from: from(i), to: `/${i}`, status: 301 }) as const);
    const compiled = new CompiledRedirects(stored);
    expect(compiled.find('/a'.repeat(11), '')).toEqual({ status: 301, location: '/0' });
    expect(compiled.find(`/b${'/a'.repeat(10)}`, '')).toBeUndefined();
    const query = (i: number) => [[`p${i}`, '1']] as const;
    const limited = new CompiledRedirects(
      Array.from({ length: 100 }, (_, i) => ({ ...stored[0]!, from: '/s', to: `/${i}`, query: query(i) })),
    );
    expect(limited.find('/s', 'p63=1')).toEqual({ status: 301, location: '/63' });
    expect(limited.find('/s', 'p64=1')).toBeUndefined();
  });
});

describe('parseRedirects', () => {
  it('reports the rules beyond the limits', () => {
    const wanted = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=1`).join(' ');
    const values = Array.from({ length: 1_000 }, (_, i) => `/s id=${i} /b`);
    const names = Array.from({ length: 63 }, (_, i) => `/s n${i}=1 /b`);
    expect(parseRedirects([...values, ...names].join('\n')).problems).toEqual([]);
    const more = [`/s ${wanted(11)} /b`, '/s other=1 /b', `${'/a'.repeat(33)} /b`, '/s id=1 n2=1 /b', '/y /b'];
    const { rules, problems } = parseRedirects([...values, ...names, ...more].join('\n'));
    expect(rules.at(-1)).toEqual({ from: '/y', to: '/b', status: 301 });
    expect(problems.map(({ line, reason }) => [line, reason])).toEqual([
      [1_064, expect.stringContaining('10 conditions')],
      [1_065, expect.stringContaining('64 different sets')],
      [1_066, expect.stringContaining('32 segments')],
      [1_067, expect.stringContaining('64 different sets')],
    ]);
  });
});
