import { describe, expect, it } from '@jest/globals';
import { SiteHostnames } from '@homeport/hosting/contracts';
import { parseHost } from './edge-host';

const HOSTNAMES = new SiteHostnames('apps.example.com');

describe('parseHost', () => {
  it.each([
    ['shop.apps.example.com', 'shop.apps.example.com'],
    ['SHOP.Apps.Example.COM', 'shop.apps.example.com'],
    ['shop.apps.example.com:8080', 'shop.apps.example.com'],
    ['shop.apps.example.com.', 'shop.apps.example.com'],
    ['shop.apps.example.com.:80', 'shop.apps.example.com'],
  ])('finds the site %s', (host, hostname) => {
    expect(parseHost(host, HOSTNAMES)).toEqual({ kind: 'site', hostname });
  });

  it('knows that no site has a host further below', () => {
    expect(parseHost('a.shop.apps.example.com', HOSTNAMES)).toEqual({ kind: 'unknown' });
  });

  it.each(['example.com', 'www.acme.test:8080', 'shopapps.example.com', 'apps.example.com.evil.example'])(
    'treats %s as a possible own domain',
    (host) => {
      expect(parseHost(host, HOSTNAMES)).toEqual({ kind: 'site', hostname: host.replace(/:.*/, '') });
    },
  );

  it.each(['apps.example.com', 'localhost:8080', '127.0.0.1', '127.0.0.1:8080', '[::1]:8080'])(
    'treats %s as the instance',
    (host) => {
      expect(parseHost(host, HOSTNAMES)).toEqual({ kind: 'instance' });
    },
  );

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
    expect(parseHost(host, HOSTNAMES)).toBeUndefined();
  });
});
