import { describe, expect, it } from '@jest/globals';
import { isSameOriginApi } from './same-origin-api';

const PAGE = 'https://home.example/files/a';

describe('isSameOriginApi', () => {
  it.each(['/api/files', '/api/files/a%2Fb?x=1', 'https://home.example/api/apps'])('sends the token to %s', (url) => {
    expect(isSameOriginApi(url, PAGE)).toBe(true);
  });

  it.each([
    '/v1/pricing',
    '/auth/session',
    '/apiary',
    '/api',
    '/api/../auth/session',
    '//evil.example/api/files',
    'https://evil.example/api/files',
    'http://home.example/api/files',
    'https://home.example:444/api/files',
    'https://home.example@evil.example/api/',
    'api/files',
    'https://',
  ])('does not send it to %s', (url) => {
    expect(isSameOriginApi(url, PAGE)).toBe(false);
  });
});
