import { describe, expect, it } from '@jest/globals';
import { isAliasLabel, parsePreviewLabel } from '@homeport/hosting/contracts';
import { branchAliasLabel } from './branch-alias';

const SHORTENED = /^pv--[a-z0-9-]+-[0-9a-f]{8}--shop$/;

describe('branchAliasLabel', () => {
  it.each([
    ['main', 'pv--main--shop'],
    ['Feature/New_Login', 'pv--feature-new-login--shop'],
    ['release/v1.2', 'pv--release-v1-2--shop'],
    ['ü', 'pv-----shop'],
    ['😀', 'pv-----shop'],
    ['x-', 'pv--x---shop'],
    ['a'.repeat(53), `pv--${'a'.repeat(53)}--shop`],
  ])('names the alias of %s', (branch, label) => {
    expect(branchAliasLabel(branch, 'shop')).toBe(label);
  });

  it.each(['a'.repeat(54), 'a'.repeat(255), `${'a'.repeat(44)}-${'b'.repeat(20)}`, 'x--abc', '--abc', 'grün/über'])(
    'shortens the alias of %s, and keeps the subdomain',
    (branch) => {
      const label = branchAliasLabel(branch, 'shop');
      expect(label).toMatch(SHORTENED);
      expect(label.length).toBeLessThanOrEqual(63);
    },
  );

  it('shortens the alias of a subdomain that leaves no room for a branch', () => {
    for (const length of [48, 49, 50, 63]) {
      const subdomain = 's'.repeat(length);
      const labels = ['main', 'b'.repeat(40), 'c'.repeat(255)].map((branch) => branchAliasLabel(branch, subdomain));
      for (const label of labels) expect(label).toMatch(/^pv--[a-z0-9-]{1,58}[a-z0-9]$/);
      expect(new Set(labels).size).toBe(3);
    }
  });

  it('never names the preview of a deploy, or the alias of an app with another subdomain', () => {
    const branches = ['x', 'x-', '-x', 'x--abc', 'x-abc', 'abc', 'x---abc', '--abc', 'f'.repeat(32)];
    const labels = branches.flatMap((branch) => ['def', 'abc--def', 'bc--def'].map((app) => ({ branch, app })));
    const named = labels.map(({ branch, app }) => branchAliasLabel(branch, app));
    expect(new Set(named).size).toBe(named.length);
    for (const label of named) expect([isAliasLabel(label), parsePreviewLabel(label)]).toEqual([true, undefined]);
  });
});
