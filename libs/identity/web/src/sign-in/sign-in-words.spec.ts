import { describe, expect, it } from '@jest/globals';
import { signInWords } from './sign-in-words';

describe('signInWords', () => {
  it.each([
    [{}, 'Sign in to Homeport'],
    [{ invite: 'i1' }, 'You are invited'],
    [{ reason: 'expired' }, 'Sign in again'],
    [{ reason: 'access' }, 'Sign in for access'],
    [{ reason: 'constructor' }, 'Sign in to Homeport'],
    [{ reason: 'other' }, 'Sign in to Homeport'],
  ])('%j reads %s', (occasion, heading) => {
    expect(signInWords(occasion, 'Homeport').heading).toBe(heading);
  });

  it('never repeats what the address says', () => {
    expect(signInWords({ error: '<b>call 555</b>' }, 'Homeport').failure).not.toContain('555');
  });
});
