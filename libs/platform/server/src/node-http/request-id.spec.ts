import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-id';

describe('requestIdOf', () => {
  it('adopts a valid id of the client', () => {
    expect(requestIdOf({ headers: { 'x-request-id': 'Trace_1.a-b' } })).toBe('Trace_1.a-b');
  });

  it.each(['', 'a b', 'a\nb', 'ü', 'x'.repeat(65), '<script>'])('replaces %j', (clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('generates an id when the header is missing', () => {
    expect(requestIdOf({ headers: {} })).not.toBe(requestIdOf({ headers: {} }));
  });
});
