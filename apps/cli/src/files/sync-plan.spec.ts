import { describe, expect, it } from '@jest/globals';
import { planFile, type SyncPair } from './sync-plan';

const SEEN = { isUnchanged: true };
const CHANGED = { isUnchanged: false };
const PLAIN = { deletes: false, force: false };
const pair = (source: SyncPair['source'], target: SyncPair['target'], isEqual = false): SyncPair => ({
  path: 'a',
  source,
  target,
  isEqual,
});

describe('planFile', () => {
  it.each([
    ['creates what only the source has', pair(CHANGED, undefined), PLAIN, 'create'],
    ['creates again what was deleted from the target', pair(SEEN, undefined), PLAIN, 'create'],
    ['leaves equal files', pair(CHANGED, CHANGED, true), PLAIN, 'same'],
    ['replaces a version that the last run has seen', pair(CHANGED, SEEN), PLAIN, 'replace'],
    ['does not replace a version that the last run has not seen', pair(CHANGED, CHANGED), PLAIN, 'conflict'],
    ['does not replace a newer version by the old one', pair(SEEN, CHANGED), PLAIN, 'conflict'],
    ['replaces it with force', pair(CHANGED, CHANGED), { ...PLAIN, force: true }, 'replace'],
    ['keeps what only the target has', pair(undefined, SEEN), PLAIN, 'keep'],
    ['deletes it on request', pair(undefined, SEEN), { ...PLAIN, deletes: true }, 'delete'],
    [
      'does not delete a version that the last run has not seen',
      pair(undefined, CHANGED),
      { ...PLAIN, deletes: true },
      'conflict',
    ],
    ['deletes it with force', pair(undefined, CHANGED), { deletes: true, force: true }, 'delete'],
    ['never deletes without the request', pair(undefined, CHANGED), { ...PLAIN, force: true }, 'keep'],
  ] as const)('%s', (_, files, rules, action) => {
    expect(planFile(files, rules)).toMatchObject({ path: 'a', action });
  });
});
