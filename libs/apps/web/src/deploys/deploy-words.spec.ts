// Angular's published code is linked at run time outside a build.
import '@angular/compiler';
import { DEPLOY_STATUSES } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import { contentsWords, deployWords, isDeployUnsettled, problemsWords } from './deploy-words';

describe('deployWords', () => {
  it('says how a deploy stands', () => {
    expect(DEPLOY_STATUSES.map((status) => deployWords({ status }, false).words)).toEqual([
      'Uploading',
      'Processing',
      'Ready',
      'Failed',
      'Archived',
    ]);
    expect(deployWords({ status: 'ready' }, true)).toMatchObject({ words: 'Live', tone: 'ok' });
  });

  it('knows what settles by itself', () => {
    expect(DEPLOY_STATUSES.filter((status) => isDeployUnsettled({ status }))).toEqual(['uploading', 'processing']);
  });
});

describe('contentsWords', () => {
  it.each([
    [1, 900, '900 B · 1 file'],
    [1_204, 1_240_000, '1.2 MB · 1,204 files'],
  ])('%i files', (file_count, total_bytes, expected) => {
    expect(contentsWords({ file_count, total_bytes })).toBe(expected);
  });
});

describe('problemsWords', () => {
  it('counts', () => {
    expect([1, 2].map(problemsWords)).toEqual(['1 problem found', '2 problems found']);
  });
});
