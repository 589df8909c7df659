import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network-of';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['203.0.113.7:1001', '203.0.113.7'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ])('%s belongs to %s', (address, network) => {
    expect(networkOf(address, '192.0.2.1')).toBe(network);
  });

  it.each(['nonsense', '', '203.0.113.7:x', '203.0.113.7:1:2', '[203.0.113', '300.1.1.1:80', 'unknown'])(
    'falls back to the address of the connection for %j',
    (claimed) => {
      expect(networkOf(claimed, '::ffff:192.0.2.1')).toBe('192.0.2.1');
      expect(networkOf(claimed)).toBe('');
    },
  );
});
