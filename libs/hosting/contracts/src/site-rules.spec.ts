import { describe, expect, it } from '@jest/globals';
import { compileRules, NO_RULES } from './site-rules';

describe('compileRules', () => {
  it('compiles the rules of both files', () => {
    const rules = compileRules({
      redirects: [{ from: '/a', to: '/b', status: 302 }],
      headers: [{ path: '/*', headers: [['x-a', 'b']] }],
    });
    expect(rules.redirectFor('/a', 'c=d')).toEqual({ status: 302, location: '/b?c=d' });
    expect(rules.headersFor('/a')).toEqual([['x-a', 'b']]);
  });

  it('finds nothing without rules', () => {
    const rules = compileRules(NO_RULES);
    expect(rules.redirectFor('/', '')).toBeUndefined();
    expect(rules.headersFor('/')).toEqual([]);
  });
});
