import { describe, expect, it } from '@jest/globals';
import { CompiledRulesCache } from './compiled-rules-cache';

describe('CompiledRulesCache', () => {
  const deep = '/a'.repeat(33);
  const stored = () => ({
    redirects: [
      { from: '/old', to: '/new', status: 301 as const },
      { from: deep, to: '/new', status: 301 as const },
      ...Array.from({ length: 2_000 }, (_, i) => ({ from: `/${i}`, to: '/new', status: 301 as const })),
    ],
    headers: [
      { path: '/*', headers: [['x-good', 'yes'] as const, ['connection', 'close'] as const] },
      { path: deep, headers: [['x-good', 'yes'] as const] },
      { path: '/fine', headers: [['x-good', 'yes'] as const] },
    ],
  });

  it('reports once per deploy how many stored rules exceed the limits', () => {
    const reports: [string, number][] = [];
    const rules = new CompiledRulesCache((...report) => reports.push(report));
    const site = { id: 'one', rules: stored() };
    expect(rules.get(site)).toBe(rules.get(site));
    // The same deploy is loaded again after a change of the site.
    expect(rules.get({ id: 'one', rules: stored() }).redirectFor('/old', '')).toBeDefined();
    rules.get({ id: 'two', rules: stored() });
    // Two beyond 2,000 redirects, a deep redirect, a deep path, and a path with a header that is not allowed.
    expect(reports).toEqual([
      ['one', 5],
      ['two', 5],
    ]);
  });

  it('reports nothing when all rules apply', () => {
    const reports: unknown[] = [];
    const [first] = stored().redirects;
    const rules = new CompiledRulesCache((...report) => reports.push(report));
    // The second rule never matches, but it is within the limits.
    rules.get({ id: 'one', rules: { redirects: [first!, first!], headers: [] } });
    expect(reports).toEqual([]);
  });
});
