import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-id';

describe('requestIdOf', () => {
  it('keeps an id a client chose', () => {
    expect(requestIdOf({ headers: { 'x-request-id': 'Trace_1.a-b' } })).toBe('Trace_1.a-b');
  });

  it.each(['', 'a b', 'a\nb', 'ü', 'x'.repeat(65), '<script>'])('replaces %j', (offered) => {
    expect(requestIdOf({ headers: { 'x-request-id': offered } })).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('makes one up when there is none', () => {
    expect(requestIdOf({ headers: {} })).not.toBe(requestIdOf({ headers: {} }));
  });
});
