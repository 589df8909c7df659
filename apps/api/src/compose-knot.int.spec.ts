import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Rfc2136DnsZone } from '@homeport/apps/server';
import { findPrograms, KNOT, type RunningNameServer, startComposeKnot } from '@homeport/dev-services';

const domain = 'apps.example.net';
const signal = new AbortController().signal;

((await findPrograms(KNOT)) ? describe : describe.skip)('Knot in docker-compose.public.yml', () => {
  let server: RunningNameServer;
  let zone: Rfc2136DnsZone;
  beforeAll(async () => {
    server = await startComposeKnot({ domain, publicDomain: 'example.com' });
    const { name, secret, algorithm } = server.key;
    zone = new Rfc2136DnsZone({
      server: { host: '127.0.0.1', port: server.port },
      zone: domain,
      key: { name, secret: Buffer.from(secret, 'base64'), algorithm },
    });
  });
  afterAll(() => server?.close());

  it('serves the wildcard of previews, and accepts a record of an app', async () => {
    const cname = { target: 'edge.example.com', ttl: 60 };
    await zone.change([{ hostname: `shop.${domain}`, after: cname }], signal);
    const records = [];
    for await (const record of zone.records(signal)) records.push(record);
    expect(records).toEqual([
      { hostname: `*.${domain}`, cname },
      { hostname: `shop.${domain}`, cname },
    ]);
  });
});
