import { describe, expect, it } from '@jest/globals';
import { SiteHostnames } from './site-hostnames';

describe('SiteHostnames', () => {
  const hostnames = new SiteHostnames('apps.example.com');

  it('names the hosts of labels and finds their labels', () => {
    expect(hostnames.hostnameOf('shop')).toBe('shop.apps.example.com');
    expect(hostnames.labelOf('shop.apps.example.com')).toBe('shop');
  });

  it.each(['a.shop.apps.example.com', '.apps.example.com', 'apps.example.com', 'shopapps.example.com', 'shop', ''])(
    'has no label for %j',
    (hostname) => {
      expect(hostnames.labelOf(hostname)).toBeUndefined();
    },
  );

  it('contains the hosts below it at any depth', () => {
    expect(hostnames.contains('a.shop.apps.example.com')).toBe(true);
    expect(hostnames.contains('apps.example.com')).toBe(false);
    expect(hostnames.contains('shopapps.example.com')).toBe(false);
  });
});
