import { describe, expect, it } from '@jest/globals';
import { sourceOf, sourceOfPipeline } from './deploy-source';

const COMMIT = 'a'.repeat(40);
const GITHUB = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SHA: COMMIT,
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'acme/shop',
  GITHUB_REF_TYPE: 'branch',
  GITHUB_REF_NAME: 'main',
};
const GITLAB = {
  GITLAB_CI: 'true',
  CI_COMMIT_SHA: COMMIT,
  CI_COMMIT_TITLE: 'Add cart',
  CI_PROJECT_URL: 'https://gitlab.com/acme/shop',
};

describe('sourceOfPipeline', () => {
  it('reads GitHub Actions', () => {
    const url = `https://github.com/acme/shop/commit/${COMMIT}`;
    expect(sourceOfPipeline(GITHUB)).toEqual({ branch: 'main', commit: COMMIT, url });
    expect(sourceOfPipeline({ ...GITHUB, GITHUB_HEAD_REF: 'cart', GITHUB_REF_NAME: '7/merge' }).branch).toBe('cart');
    expect(sourceOfPipeline({ ...GITHUB, GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }).branch).toBeUndefined();
  });

  it('reads GitLab CI', () => {
    const url = `https://gitlab.com/acme/shop/-/commit/${COMMIT}`;
    expect(sourceOfPipeline({ ...GITLAB, CI_COMMIT_BRANCH: 'main' })).toEqual({
      ...{ branch: 'main', commit: COMMIT, message: 'Add cart', url },
    });
    expect(sourceOfPipeline({ ...GITLAB, CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'cart' }).branch).toBe('cart');
  });

  it('is empty elsewhere', () => {
    expect(sourceOfPipeline({ CI: 'true' })).toEqual({});
  });
});

describe('sourceOf', () => {
  it('prefers options, and keeps the first line of the message, at most 200 characters', async () => {
    const options = { branch: 'next', message: `${'ä'.repeat(250)}\nbody` };
    expect(await sourceOf('/', options, GITLAB)).toMatchObject({
      branch: 'next',
      commit: COMMIT,
      message: 'ä'.repeat(200),
    });
  });
});
