import { describe, expect, it } from '@jest/globals';
import { HostnamePolicy } from './hostname-policy';

describe('HostnamePolicy', () => {
  const local = { domain: 'apps.localhost', cdnHostname: 'edge.localhost', edgePort: 8081, reserved: [] };

  it('uses https and its port for own domains on a development machine with certificates', () => {
    const hostnames = new HostnamePolicy({ ...local, edgeTlsPort: 8443 });
    const urls = ['www.acme.test', 'shop.apps.localhost'].map((hostname) => hostnames.urlOf(hostname));
    expect(urls).toEqual(['https://www.acme.test:8443', 'http://shop.apps.localhost:8081']);
    expect(new HostnamePolicy(local).urlOf('www.acme.test')).toBe('http://www.acme.test:8081');
  });

  it('uses http and the port of the edge for local apps', () => {
    const hostnames = new HostnamePolicy(local);
    expect(hostnames.hostnameOf('shop')).toBe('shop.apps.localhost');
    expect(hostnames.reserved).toEqual([]);
  });

  it.each([
    ['cdn.apps.localhost', ['cdn']],
    ['a.cdn.apps.localhost', ['cdn']],
    ['apps.localhost', []],
    ['cdn.otherapps.localhost', []],
  ])('reserves the label of a host of the product: %s', (host, reserved) => {
    expect(new HostnamePolicy({ ...local, cdnHostname: host }).reserved).toEqual(reserved);
    expect(new HostnamePolicy({ ...local, challengeZone: host }).reserved).toEqual(reserved);
  });

  it.each([
    ['shop.apps.localhost', 'shop'],
    ['below.shop.apps.localhost', undefined],
    ['apps.localhost', undefined],
    ['.apps.localhost', undefined],
    ['shop.other.localhost', undefined],
  ])('returns the label of %s', (hostname, label) => {
    expect(new HostnamePolicy(local).labelOf(hostname)).toBe(label);
  });
});
