import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { requestIdOf } from './request-id';

describe('requestIdOf', () => {
  it.each([
    'Trace_1.a-b',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    randomUUID(),
    'a'.repeat(64),
  ])('adopts the valid id %s of the client', (clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).toBe(clientId);
  });

  it.each([
    ['an API token', `hp_${'aB3'.repeat(13)}x`],
    ['an access token', `${'eyJhbGciOiJFUzI1NiJ9'}.${'eyJzdWIiOiJhIn0'}.c2lnbmF0dXJl`],
    ['a key in base64url', Buffer.alloc(24, 0xfb).toString('base64url')],
  ])('does not adopt %s', (_, clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).not.toBe(clientId);
  });

  it.each(['', 'a b', 'a\nb', 'ü', 'a'.repeat(65), 'x'.repeat(27), '<script>'])('replaces %j', (clientId) => {
    expect(requestIdOf({ headers: { 'x-request-id': clientId } })).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('generates an id when the header is missing', () => {
    expect(requestIdOf({ headers: {} })).not.toBe(requestIdOf({ headers: {} }));
  });
});
