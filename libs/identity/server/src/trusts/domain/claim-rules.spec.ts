import { describe, expect, it } from '@jest/globals';
import { InvalidRequest } from '@homeport/kernel';
import { matchesClaims, parseClaimRules } from './claim-rules';
import { issuerNameOf, IssuerRules } from './issuers';

const OWN = 'https://ci.example';
const GITHUB = 'https://token.actions.githubusercontent.com';
const GITLAB = 'https://gitlab.com';

describe('parseClaimRules', () => {
  it.each([
    [OWN, { anything: 'value' }],
    [OWN, { sub: 'project:*', ref: 'refs/heads/main' }],
    [GITHUB, { repository: 'acme/shop' }],
    [GITHUB, { repository: 'acme/*', ref: 'refs/heads/main' }],
    [GITHUB, { repository_owner_id: '17', ref: 'refs/tags/*' }],
    [GITHUB, { sub: 'repo:acme/shop:*' }],
    [GITHUB, { sub: 'repo:acme@17/shop@4:ref:refs/heads/main' }],
    [GITHUB, { repository: 'acme/shop', job_workflow_ref: 'acme/flows/.github/workflows/deploy.yml@*' }],
    [GITLAB, { project_path: 'acme/shop', ref_protected: 'true' }],
    [GITLAB, { sub: 'project_path:acme/team/shop:ref_type:branch:ref:main' }],
  ])('accepts for %s %j', (issuer, claims) => {
    expect(parseClaimRules(claims, issuer)).toEqual(claims);
  });

  it.each([
    [OWN, undefined],
    [OWN, null],
    [OWN, []],
    [OWN, 'repository'],
    [OWN, {}],
    [OWN, Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`claim${index}`, 'x']))],
    [OWN, { repository: 7 }],
    [OWN, { repository: ['acme/shop'] }],
    [OWN, { repository: '' }],
    [OWN, { repository: '*' }],
    [OWN, { repository: 'acme/*/shop' }],
    [OWN, { repository: '*shop' }],
    [OWN, { repository: 'acme/**' }],
    [OWN, { repository: 'a\nb' }],
    [OWN, { repository: 'acme/\ud800' }],
    [OWN, { repository: 'x'.repeat(501) }],
    [OWN, { '': 'x' }],
    [OWN, { 'a b': 'x' }],
    [OWN, { iss: OWN }],
    [OWN, { aud: 'https://homeport.example' }],
    [OWN, { exp: '1' }],
    [GITHUB, { ref: 'refs/heads/main' }],
    [GITHUB, { repository: 'acme*' }],
    [GITHUB, { repository: 'a*', ref: 'refs/heads/main' }],
    [GITHUB, { sub: 'repo:*' }],
    [GITHUB, { sub: 'repo:/*' }],
    [GITHUB, { sub: 'repo:acme*' }],
    [GITHUB, { sub: 'ref:refs/heads/main' }],
    [GITHUB, { sub: 'environment:acme/production' }],
    [GITHUB, { sub: 'environment:acme/*' }],
    [GITHUB, { job_workflow_ref: 'acme/flows/.github/workflows/deploy.yml@refs/heads/main' }],
    [GITLAB, { ref: 'main', ref_protected: 'true' }],
    [GITLAB, { repository: 'acme/shop' }],
    [GITLAB, { sub: 'repo:acme/shop:*' }],
  ])('rejects for %s %j', (issuer, claims) => {
    expect(() => parseClaimRules(claims, issuer)).toThrow(InvalidRequest);
  });
});

describe('matchesClaims', () => {
  const rules = { repository: 'acme/shop', ref: 'refs/heads/*' };

  it('matches exactly, or up to the final star', () => {
    expect(matchesClaims(rules, { repository: 'acme/shop', ref: 'refs/heads/main', extra: 1 })).toBe(true);
    expect(matchesClaims(rules, { repository: 'acme/shop', ref: 'refs/heads/' })).toBe(true);
    expect(matchesClaims({ project_id: '17', ref_protected: 'true' }, { project_id: 17, ref_protected: true })).toBe(
      true,
    );
  });

  it.each([
    {},
    { repository: 'acme/shop' },
    { repository: 'mallory/shop', ref: 'refs/heads/main' },
    { repository: 'acme/shop2', ref: 'refs/heads/main' },
    { repository: 'ACME/shop', ref: 'refs/heads/main' },
    { repository: 'acme/shop', ref: 'refs/pull/1/merge' },
    { repository: ['acme/shop'], ref: 'refs/heads/main' },
    { repository: { toString: 'acme/shop' }, ref: 'refs/heads/main' },
    { repository: null, ref: 'refs/heads/main' },
  ])('does not match %j', (claims) => {
    expect(matchesClaims(rules, claims)).toBe(false);
  });

  it('does not match inherited properties', () => {
    expect(matchesClaims({ constructor: 'x*' }, {})).toBe(false);
  });
});

describe('IssuerRules', () => {
  const published = new IssuerRules('https://homeport.example');
  const development = new IssuerRules('http://localhost:3000');

  it('knows GitHub and GitLab by name', () => {
    expect([published.parse('github'), published.parse('gitlab')]).toEqual([GITHUB, GITLAB]);
    const spellings = [`${GITHUB}/`, 'https://Token.Actions.GithubUserContent.com', 'https://gitlab.com:443/'];
    expect(spellings.map((each) => published.parse(each))).toEqual([GITHUB, GITHUB, GITLAB]);
    expect([GITHUB, GITLAB, OWN].map(issuerNameOf)).toEqual(['github', 'gitlab', OWN]);
  });

  it('accepts https issuers, and http on loopback only in development', () => {
    expect(published.parse('https://gitlab.acme.example/')).toBe('https://gitlab.acme.example/');
    expect(development.parse('http://127.0.0.1:4711')).toBe('http://127.0.0.1:4711');
  });

  it.each([
    'http://ci.example',
    'http://127.0.0.1:80',
    'https://127.0.0.1',
    'https://[::1]',
    'https://localhost',
    'https://metadata.localhost',
    'https://intranet',
    'https://2130706433',
    'https://0x7f.1',
    'https://user:secret@ci.example',
    'https://ci.example?x=1',
    'https://ci.example#x',
    'https://ci.example?',
    'https://ci. example',
    'ftp://ci.example',
    'GitHub',
    '',
    `https://ci.example/${'x'.repeat(500)}`,
  ])('rejects %s where the installation is public', (issuer) => {
    expect(() => published.parse(issuer)).toThrow(InvalidRequest);
  });
});
