import { describe, expect, it } from '@jest/globals';
import { secretsFinding, sessionsFinding } from './key-checks';

const use = (keyId: string, count: number, isReadable = true, kind = 'variables') => ({
  keyId,
  count,
  isReadable,
  kind,
});

describe('the findings about keys', () => {
  it('says when older session keys can be removed', () => {
    expect(sessionsFinding({ newest: 3, older: 0, unreadable: 0 }, ['new'])).toEqual({
      status: 'ok',
      detail: 'The first key of SESSION_KEYS seals all 3 sessions: other keys can be removed.',
    });
    expect(sessionsFinding({ newest: 3, older: 2, unreadable: 0 }, ['new', 'old'])).toMatchObject({
      status: 'ok',
      detail: expect.stringMatching(/^Older keys of SESSION_KEYS seal 2 of 5 sessions: keep these keys\./),
    });
  });

  it('names sessions whose key was removed, and how to end them', () => {
    expect(sessionsFinding({ newest: 1, older: 0, unreadable: 4 }, ['new', 'old'])).toEqual({
      status: 'fault',
      detail: 'No key of SESSION_KEYS opens 4 of 5 sessions: these people have to sign in again.',
      remedy:
        'Add the key that sealed them to the end of SESSION_KEYS. When it is lost, end these sessions: delete from ' +
        `identity.sessions where split_part(access_token, '.', 1) not in ('new', 'old').`,
    });
  });

  it('says when older keys of SECRETS_KEYS can be removed', () => {
    expect(secretsFinding([use('2026', 3), use('2026', 2, true, 'keys of certificates')], ['2026', '2025'])).toEqual({
      status: 'ok',
      detail: 'The key 2026 of SECRETS_KEYS seals all 5 values: other keys can be removed.',
    });
    expect(secretsFinding([use('2025', 3), use('2026', 2)], ['2026', '2025'])).toEqual({
      status: 'ok',
      detail:
        'Older keys of SECRETS_KEYS seal values (2025: 3 variables): keep these keys, or run: ' +
        'node dist/api/apps/api/src/main.js reseal.',
    });
  });

  it('names the key that was removed from SECRETS_KEYS', () => {
    expect(secretsFinding([use('2025', 3, false), use('2026', 2)], ['2026'])).toEqual({
      status: 'fault',
      detail: 'No key of SECRETS_KEYS opens values that were sealed with the key 2025: 3 variables.',
      remedy: 'Add the key with this id, as it was, to the end of SECRETS_KEYS of all programs.',
    });
  });
});
