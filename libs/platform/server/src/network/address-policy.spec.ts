import { describe, expect, it } from '@jest/globals';
import { AddressPolicy } from './address-policy';

const PUBLIC = [
  '93.184.215.14',
  '8.8.8.8',
  '140.82.112.3',
  '2606:50c0:8000::154',
  '2606:2800:21f:cb07::1',
  '::ffff:93.184.215.14',
];
const DENIED = [
  ...['127.0.0.1', '127.77.0.1', '0.0.0.0', '0.1.2.3', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '169.254.170.2', '100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1'],
  ...['198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::a9fe:a9fe', '64:ff9b::a9fe:a9fe'],
  ...['64:ff9b:1::a00:1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '2001:db8::1', '100::1'],
  ...['2002:a9fe:a9fe::1', '2001::1', '4000::1'],
  ...['', 'localhost', '2606:4700::9%1', '1.2.3', '0x7f.1', '017700000001', '2130706433'],
];

describe('AddressPolicy', () => {
  const policy = new AddressPolicy({ ownAddresses: () => ['203.0.113.9', '2606:4700::9'] });

  it.each(PUBLIC)('allows %s', (address) => expect(policy.refusalOf(address)).toBeUndefined());
  it.each(DENIED)('denies “%s”', (address) => expect(policy.refusalOf(address)).toEqual(expect.any(String)));

  it('denies the addresses of this machine in every notation', () => {
    const own = new AddressPolicy({ ownAddresses: () => ['93.184.215.14', '2606:4700::9'] });
    for (const address of ['93.184.215.14', '::ffff:93.184.215.14', '2606:4700:0:0::9']) {
      expect(own.refusalOf(address)).toBe('an address of the platform');
    }
    expect(new AddressPolicy().refusalOf('127.0.0.1')).toBe('an address of the platform');
  });

  it('allows configured ranges', () => {
    const open = new AddressPolicy({ allowed: ['10.1.0.0/16', 'fd00:1::/32'] });
    expect(open.refusalOf('10.1.2.3')).toBeUndefined();
    expect(open.refusalOf('fd00:1::5')).toBeUndefined();
    expect(open.refusalOf('10.2.0.1')).toBe('not a public address (private)');
    const single = new AddressPolicy({ allowed: ['10.1.2.3', 'fd00::5'] });
    for (const address of ['10.1.2.3', '::ffff:10.1.2.3', 'fd00::5']) expect(single.refusalOf(address)).toBeUndefined();
    expect(single.refusalOf('10.1.2.4')).toBe('not a public address (private)');
  });
});
