import { describe, expect, it } from '@jest/globals';
import { signInMessages } from './sign-in-messages';

describe('signInMessages', () => {
  it.each([
    [{}, 'Sign in to Homeport'],
    [{ invite: 'i1' }, 'You are invited'],
    [{ reason: 'expired' }, 'Sign in again'],
    [{ reason: 'signed-out' }, 'You are signed out'],
    [{ reason: 'access' }, 'Sign in for access'],
    [{ reason: 'constructor' }, 'Sign in to Homeport'],
    [{ reason: 'other' }, 'Sign in to Homeport'],
  ])('%j reads %s', (occasion, heading) => {
    expect(signInMessages(occasion, 'Homeport').heading).toBe(heading);
  });

  it('never repeats what the address says', () => {
    expect(signInMessages({ error: '<b>call 555</b>' }, 'Homeport').failure).not.toContain('555');
  });
});
