// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { DEPLOY_STATUSES } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  deploySizeMessage,
  deployStatusLabel,
  isDeployInProgress,
  lacksStartPage,
  noteOf,
  problemCountMessage,
} from './deploy-messages';

describe('deployStatusLabel', () => {
  it('labels each deploy status', () => {
    const labels = DEPLOY_STATUSES.map((status) =>
      deployStatusLabel({ status, first_live_at: null, held_back: false }, undefined),
    );
    expect(labels.map(({ words }) => words)).toEqual([
      ...['Uploading', 'Processing', 'Starting', 'Preview', 'Failed', 'Archived'],
    ]);
    const heldBack = { status: 'ready', first_live_at: null, held_back: true } as const;
    expect(deployStatusLabel(heldBack, undefined)).toMatchObject({ words: 'Not activated', tone: 'warn' });
    const wasLive = { ...heldBack, first_live_at: '2026-03-01T00:00:00.000Z' };
    expect(deployStatusLabel(wasLive, undefined).words).toBe('Was live');
    expect(deployStatusLabel(wasLive, 'ok')).toMatchObject({ words: 'Live', icon: 'check-circle', tone: 'ok' });
    expect(deployStatusLabel(wasLive, 'bad')).toMatchObject({ words: 'Live', icon: 'check-circle', tone: 'quiet' });
  });

  it('detects deploys in progress', () => {
    expect(DEPLOY_STATUSES.filter((status) => isDeployInProgress({ status }))).toEqual([
      'uploading',
      'processing',
      'starting',
    ]);
  });
});

describe('deploySizeMessage', () => {
  it.each([
    [1, 900, '1 file · 900 B'],
    [1_204, 1_240_000, '1,204 files · 1.2 MiB'],
  ])('%i files', (file_count, total_bytes, expected) => {
    expect(deploySizeMessage({ file_count, total_bytes })).toBe(expected);
  });
});

describe('noteOf', () => {
  const noteFrom = (message: string | null) => noteOf({ source: { branch: null, commit: null, message, url: null } });

  it('is the first line of the message', () => {
    expect(noteFrom('  Correct the prices \n\nMore about it.')).toBe('Correct the prices');
    expect([noteFrom(null), noteOf({ source: null })]).toEqual(['', '']);
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
    expect([1, 2].map(problemCountMessage)).toEqual(['1 problem', '2 problems']);
  });
});
