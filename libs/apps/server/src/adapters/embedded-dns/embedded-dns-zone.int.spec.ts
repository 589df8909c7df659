import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resolver } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embeddedServices } from '@homeport/platform/server/testing';
import { dnsZoneContract } from '../../testing/dns-zone.contract';
import { EmbeddedDnsZone } from './embedded-dns-zone';

const services = embeddedServices();
const zone = new EmbeddedDnsZone({
  controlUrl: services['EMBEDDED_DNS_URL'] as string,
  token: services['EMBEDDED_DNS_TOKEN'] as string,
});
const resolver = new Resolver();
resolver.setServers([`127.0.0.1:${services['DNS_PORT']}`]);

dnsZoneContract(EmbeddedDnsZone.name, () => ({
  zone,
  domain: 'apps.localhost',
  lookUp: (hostname) =>
    resolver.resolveCname(hostname).then(
      ([target]) => target,
      (error: { code: string }) => {
        if (error.code === 'ENOTFOUND') return undefined;
        throw error;
      },
    ),
}));

describe('a DNS server that fails', () => {
  let server: Server;
  let status = 500;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      if (status > 0) response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const failing = () =>
    new EmbeddedDnsZone({ controlUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'x' });

  it.each([
    [500, 'provider-unavailable'],
    [401, 'access-denied'],
    [409, 'foreign-record'],
    [422, 'invalid-record'],
  ])('that answers %d is named %s', async (answer, code) => {
    status = answer;
    const point = failing().point('a.apps.localhost', 'edge.localhost', new AbortController().signal);
    await expect(point).rejects.toMatchObject({ code });
  });

  it('that never answers is named a timeout', async () => {
    status = 0;
    const controller = new AbortController();
    const point = failing().point('a.apps.localhost', 'edge.localhost', controller.signal);
    server.once('request', () => controller.abort());
    await expect(point).rejects.toMatchObject({ code: 'timeout', retryable: true });
  });

  it('that is not there is named unavailable', async () => {
    const nobody = new EmbeddedDnsZone({ controlUrl: 'http://127.0.0.1:1', token: 'x' });
    await expect(nobody.ready(new AbortController().signal)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});
