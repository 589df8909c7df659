// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { DEPLOY_STATUSES } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  deploySizeMessage,
  deployStatusLabel,
  isDeployInProgress,
  lacksStartPage,
  problemCountMessage,
} from './deploy-messages';

describe('deployStatusLabel', () => {
  it('labels each deploy status', () => {
    expect(
      DEPLOY_STATUSES.map((status) => deployStatusLabel({ status, first_live_at: null }, undefined).words),
    ).toEqual(['Uploading', 'Processing', 'Ready', 'Failed', 'Archived']);
    const wasLive = { status: 'ready', first_live_at: '2026-03-01T00:00:00.000Z' } as const;
    expect(deployStatusLabel(wasLive, undefined).words).toBe('Was live');
    expect(deployStatusLabel(wasLive, 'ok')).toMatchObject({ words: 'Live', icon: 'check-circle', tone: 'ok' });
    expect(deployStatusLabel(wasLive, 'bad')).toMatchObject({ words: 'Live', icon: 'alert', tone: 'bad' });
  });

  it('detects deploys in progress', () => {
    expect(DEPLOY_STATUSES.filter((status) => isDeployInProgress({ status }))).toEqual(['uploading', 'processing']);
  });
});

describe('deploySizeMessage', () => {
  it.each([
    [1, 900, '900 B · 1 file'],
    [1_204, 1_240_000, '1.2 MiB · 1,204 files'],
  ])('%i files', (file_count, total_bytes, expected) => {
    expect(deploySizeMessage({ file_count, total_bytes })).toBe(expected);
  });
});

describe('lacksStartPage', () => {
  it.each([
    [[], false],
    [[{ path: '_redirects', line: 2, reason: 'No.' }], false],
    [[{ path: 'index.html', line: null, reason: 'No.' }], true],
  ])('%#', (problems, expected) => {
    expect(lacksStartPage(problems)).toBe(expected);
  });
});

describe('problemCountMessage', () => {
  it('counts problems', () => {
    expect([1, 2].map(problemCountMessage)).toEqual(['1 problem found', '2 problems found']);
  });
});
