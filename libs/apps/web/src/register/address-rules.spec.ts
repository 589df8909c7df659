import { describe, expect, it } from '@jest/globals';
import { subdomainFrom } from '@homeport/apps/contracts';
import fc from 'fast-check';
import { addressRules, firstBrokenRule, rulesSummary } from './address-rules';

const CLOSED = ['api', 'www', 'admin', 'app', 'dashboard', 'status'];
const broken = (name: string, reserved?: readonly string[], isReportedReserved?: boolean) =>
  addressRules(name, reserved, isReportedReserved)
    .filter(({ state }) => state === 'broken')
    .map(({ rule }) => rule);

describe('addressRules', () => {
  it.each([
    ['Acme Site', []],
    ['ab', ['length']],
    ['Ünicode', ['characters']],
    ['-ab', ['hyphen-at-edge']],
    ['xn--abc', ['punycode']],
    ['Admin', ['reserved']],
    ['ä-', ['length', 'characters', 'hyphen-at-edge']],
    ['----', ['hyphen-at-edge', 'punycode']],
    ['x'.repeat(64), ['length']],
  ])('checks every rule for %j', (name, rules) => {
    expect(broken(name)).toEqual(rules);
  });

  it.each(['', '   '])('leaves all rules open for "%s"', (name) => {
    expect(new Set(addressRules(name).map(({ state }) => state))).toEqual(new Set(['open']));
  });

  it('uses the reserved names of the API', () => {
    expect(broken('status')).toEqual([]);
    expect(broken('status', undefined, true)).toEqual(['reserved']);
  });

  it.each(['status', ' STATUS ', 'admin'])('rejects the reserved name %j without a request', (name) => {
    expect(broken(name, CLOSED)).toEqual(['reserved']);
  });

  it.each([
    [undefined, 'Not reserved (api, www, admin, app, dashboard)'],
    [CLOSED, 'Not reserved (api, www, admin, app, dashboard, status)'],
    [[...CLOSED, 'a1', 'a2', 'a3', 'a4'], 'Not reserved (api, www, admin, app, dashboard, status, a1, a2 and 2 more)'],
  ])('lists the reserved names up to a limit: %#', (reserved, words) => {
    expect(addressRules('', reserved).at(-1)?.words).toBe(words);
  });

  it('breaks a rule exactly when the API would refuse the name', () => {
    const part = fc.constantFrom('api', 'App', 'status', 'xn', '--', '-', ' ', 'ß', '.', 'shop', '9', 'x'.repeat(30));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const { subdomain, fault } = subdomainFrom(parts.join(''), CLOSED);
        fc.pre(subdomain !== '');
        expect(firstBrokenRule(addressRules(parts.join(''), CLOSED)) === undefined).toBe(fault === undefined);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('rulesSummary', () => {
  it.each([
    ['', 'open'],
    ['acme', 'met'],
  ])('summarizes %j as %s', (name, state) => {
    expect(rulesSummary(addressRules(name)).state).toBe(state);
  });
});
