import { describe, expect, it } from '@jest/globals';
import { route53FailureOf } from './route53-failures';

const never = new AbortController().signal;

describe('route53FailureOf', () => {
  it.each([
    ['ECONNRESET', 'provider-unavailable'],
    ['EPIPE', 'provider-unavailable'],
    ['ETIMEDOUT', 'timeout'],
    [undefined, 'timeout'],
  ] as const)('takes what the SDK calls a time-out with the code %s for %s', (code, expected) => {
    const cause = Object.assign(new Error('socket hang up'), { name: 'TimeoutError', ...(code && { code }) });
    expect(route53FailureOf(cause, never)).toMatchObject({ code: expected, cause });
  });

  it('calls everything a time-out once the caller has given up', () => {
    const cause = Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ECONNRESET' });
    expect(route53FailureOf(cause, AbortSignal.abort())).toMatchObject({ code: 'timeout' });
  });
});
