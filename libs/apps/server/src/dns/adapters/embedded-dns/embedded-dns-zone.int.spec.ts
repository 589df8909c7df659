import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { embeddedServices } from '@homeport/platform/server/testing';
import { RecordConflict } from '../../application/dns-zone.port';
import { lookUpCname } from '../../../testing/dns-lookup';
import { dnsZoneContract } from '../../../testing/dns-zone.contract';
import { dnsZoneModel } from '../../../testing/dns-zone-model';
import { EmbeddedDnsZone } from './embedded-dns-zone';

const services = embeddedServices();
const signal = new AbortController().signal;
const openZone = () =>
  new EmbeddedDnsZone({
    controlUrl: services['EMBEDDED_DNS_URL'] as string,
    token: services['EMBEDDED_DNS_TOKEN'] as string,
  });
const zone = openZone();

dnsZoneContract(EmbeddedDnsZone.name, () => ({
  zone,
  openSecond: openZone,
  domain: 'apps.localhost',
  lookUp: (hostname) => lookUpCname(Number(services['DNS_PORT']), hostname),
}));

dnsZoneModel(() => ({ zone, domain: 'apps.localhost' }));

describe('a DNS server that fails', () => {
  const HOSTNAME = 'a.apps.localhost';
  let server: Server;
  let status: number;
  let body: string;

  beforeAll(async () => {
    server = createServer((_request, response) => {
      if (status > 0) response.writeHead(status).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  beforeEach(() => {
    body = '';
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const failing = () =>
    new EmbeddedDnsZone({ controlUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 'x' });
  const change = () => failing().change([{ hostname: HOSTNAME }], signal);

  it.each([
    [500, 'provider-unavailable'],
    [404, 'provider-unavailable'],
    [401, 'access-denied'],
    [422, 'invalid-record'],
  ])('that answers %d causes the failure %s', async (answer, code) => {
    status = answer;
    await expect(change()).rejects.toMatchObject({ code });
    await expect(failing().find(HOSTNAME, signal)).rejects.toMatchObject({ code });
    await expect(failing().ready(signal)).rejects.toMatchObject({ code });
  });

  it('that reports a conflict causes a RecordConflict', async () => {
    status = 409;
    await expect(change()).rejects.toBeInstanceOf(RecordConflict);
  });

  it('that rejects one change of a batch causes a conflict, so that the caller splits the batch', async () => {
    const after = { target: 'edge.localhost', ttl: 60 };
    const [good, bad] = [
      { hostname: 'narrow.apps.localhost', after },
      { hostname: 'a.elsewhere', after },
    ];
    await expect(zone.change([good, bad], signal)).rejects.toBeInstanceOf(RecordConflict);
    await expect(zone.change([bad], signal)).rejects.toMatchObject({ code: 'invalid-record' });
    await expect(zone.change([good], signal)).resolves.toEqual({});
  });

  it.each(['', '[]', '{}', '<html>', '{"name":"b.apps.localhost","value":"x","ttl":1}'])(
    'that answers %j proves neither the presence nor the absence of a record',
    async (text) => {
      body = text;
      for (const answer of [200, 404]) {
        status = answer;
        await expect(failing().find(HOSTNAME, signal)).rejects.toMatchObject({ code: 'provider-unavailable' });
      }
    },
  );

  it('that never answers causes a timeout', async () => {
    status = 0;
    const controller = new AbortController();
    const changing = failing().change([{ hostname: HOSTNAME }], controller.signal);
    server.once('request', () => controller.abort());
    await expect(changing).rejects.toMatchObject({ code: 'timeout' });
  });

  it('that cannot be reached is unavailable', async () => {
    const unreachable = new EmbeddedDnsZone({ controlUrl: 'http://127.0.0.1:1', token: 'x' });
    await expect(unreachable.ready(signal)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });
});
