import { describe, expect, it } from '@jest/globals';
import { isRepositoryPath, trustFor, trustSummary } from './pipeline';

describe(trustFor.name, () => {
  it('matches the claims of GitHub', () => {
    expect(trustFor({ issuer: 'github', repository: 'acme/shop', branch: 'main' }).claims).toEqual({
      repository: 'acme/shop',
      ref: 'refs/heads/main',
    });
  });

  it('matches the claims of GitLab', () => {
    expect(trustFor({ issuer: 'gitlab', repository: 'acme/web/shop', branch: 'main' }).claims).toEqual({
      project_path: 'acme/web/shop',
      ref: 'main',
      ref_type: 'branch',
    });
  });

  it('matches every branch without one', () => {
    expect(trustFor({ issuer: 'github', repository: 'acme/shop', branch: '' }).claims).toEqual({
      repository: 'acme/shop',
    });
  });
});

describe(trustSummary.name, () => {
  it('names the repository and the branch', () => {
    expect(trustSummary(trustFor({ issuer: 'github', repository: 'acme/shop', branch: 'main' }))).toEqual({
      name: 'acme/shop',
      issuer: 'GitHub Actions',
      conditions: ['main'],
    });
  });

  it('shows other issuers and claims as they are', () => {
    expect(trustSummary({ issuer: 'https://ci.example', claims: { sub: 'job:7' } })).toEqual({
      name: 'https://ci.example',
      issuer: 'https://ci.example',
      conditions: ['sub: job:7'],
    });
  });
});

describe(isRepositoryPath.name, () => {
  it.each([
    ['acme/shop', true],
    ['acme/web/shop.js', true],
    ['acme', false],
    ['acme/', false],
    ['https://github.com/acme/shop', false],
    ['acme /shop', false],
  ])('%s → %s', (text, expected) => {
    expect(isRepositoryPath(text)).toBe(expected);
  });
});
