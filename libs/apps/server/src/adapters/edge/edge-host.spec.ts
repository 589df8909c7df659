import { describe, expect, it } from '@jest/globals';
import { parseHost } from './edge-host';

describe('parseHost', () => {
  it.each([
    ['shop.apps.example.com', 'shop'],
    ['SHOP.Apps.Example.COM', 'shop'],
    ['shop.apps.example.com:8080', 'shop'],
    ['shop.apps.example.com.', 'shop'],
    ['shop.apps.example.com.:80', 'shop'],
    ['a.shop.apps.example.com', undefined],
  ])('finds the site %s', (host, label) => {
    expect(parseHost(host, 'apps.example.com')).toEqual({ kind: 'site', label });
  });

  it.each([
    'apps.example.com',
    'example.com',
    'localhost:8080',
    '127.0.0.1',
    '[::1]:8080',
    'shopapps.example.com',
    'apps.example.com.evil.example',
  ])('treats %s as another host', (host) => {
    expect(parseHost(host, 'apps.example.com')).toEqual({ kind: 'elsewhere' });
  });

  it.each([
    '',
    '.',
    ':80',
    'a b',
    'a..b',
    'a/b',
    'a@b',
    '\u212aelvin.example',
    'a:b',
    'a:123456',
    '[::1',
    `${'a'.repeat(64)}.apps.example.com`,
    'x'.repeat(300),
  ])('rejects %j', (host) => {
    expect(parseHost(host, 'apps.example.com')).toBeUndefined();
  });
});
