import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-id';

describe('requestIdOf', () => {
  it.each(['Trace_1.a-b', 'x'.repeat(64), 'hp_1'])('adopts %j', (clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).toBe(clientId);
  });

  it.each(['', 'a b', 'a\nb', 'ü', 'x'.repeat(65), '<script>', `hp_${'a'.repeat(40)}`])('replaces %j', (clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('generates an id when the header is missing', () => {
    expect(requestIdOf({ headers: {} })).not.toBe(requestIdOf({ headers: {} }));
  });
});
