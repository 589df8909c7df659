import { describe, expect, it } from '@jest/globals';
import { route53FailureOf } from './route53-failures';

const never = new AbortController().signal;

describe('route53FailureOf', () => {
  it.each([
    ['ECONNRESET', 'provider-unavailable'],
    ['EPIPE', 'provider-unavailable'],
    ['ETIMEDOUT', 'timeout'],
    [undefined, 'timeout'],
  ] as const)('maps a TimeoutError of the SDK with the code %s to %s', (code, expected) => {
    const cause = Object.assign(new Error('socket hang up'), { name: 'TimeoutError', ...(code && { code }) });
    expect(route53FailureOf(cause, never)).toMatchObject({ code: expected, cause });
  });

  it('maps every error to a timeout after the caller has aborted', () => {
    const cause = Object.assign(new Error('aborted'), { name: 'AbortError', code: 'ECONNRESET' });
    expect(route53FailureOf(cause, AbortSignal.abort())).toMatchObject({ code: 'timeout' });
  });
});
