import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  BIND,
  findPrograms,
  KNOT,
  nameServerSettings,
  type RunningNameServer,
  startBind,
  startKnot,
} from '@homeport/dev-services';
import { embeddedServices } from '@homeport/platform/server/testing';
import { closedPort, doctorLine, type Settings } from './testing/doctor-lines';

const DOMAIN = 'apps.example.com';
/** As it is in docs/operations.md, where the preview addresses have one record. */
const RECORDS = `* CNAME edge.${DOMAIN}.\nedge A 192.0.2.1\n`;
const HOUR_MS = 3_600_000;
/** The servers, and their answers to a key that may not make a change, and to one that may not read another zone. */
const SERVERS = [
  { title: 'Knot', isInstalled: (await findPrograms(KNOT)) !== undefined, start: startKnot, refusal: 'BADKEY' },
  { title: 'BIND', isInstalled: (await findPrograms(BIND)) !== undefined, start: startBind, refusal: 'REFUSED' },
];

for (const each of SERVERS)
  (each.isInstalled ? describe : describe.skip)(`the doctor of a zone on ${each.title}`, () => {
    let server: RunningNameServer;
    beforeAll(async () => {
      server = await each.start({ domain: DOMAIN, records: RECORDS });
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });
    afterAll(() => server.close());

    const line = (name: string, changes: Settings = {}) =>
      doctorLine(name, {
        ...embeddedServices(),
        ...nameServerSettings(server),
        PLATFORM_DOMAIN: DOMAIN,
        CDN_HOSTNAME: `edge.${DOMAIN}`,
        DOMAIN_RESOLVERS: `127.0.0.1:${server.port}`,
        ACME_ZONE: `acme.${DOMAIN}`,
        CERTIFICATES: 'acme',
        ACME_DIRECTORY: 'https://acme.example.com/directory',
        ...changes,
      });
    const key = () => server.key.name;

    it.each(['dns', 'dns-records', 'dns-listing', 'cdn-hostname', 'preview-wildcard', 'acme-zone'])(
      '%s is ok',
      async (name) => expect(await line(name)).toMatch(new RegExp(`^ok {7}${name}  [A-Za-z].*\\.$`)),
    );

    it('names the servers that returned the probe record', async () => {
      expect(await line('dns-records')).toBe(
        `ok       dns-records  A probe record was created, read and removed; 127.0.0.1:${server.port} returned it.`,
      );
    });

    it.each<[string, () => Settings, () => string]>([
      [
        'an unknown key',
        () => ({ RFC2136_KEY_NAME: 'unknown' }),
        () =>
          'The name server has no key unknown with the algorithm hmac-sha256 (BADKEY). Correct RFC2136_KEY_NAME and ' +
          'RFC2136_KEY_ALGORITHM, or add the key to the server.',
      ],
      [
        'another algorithm',
        () => ({ RFC2136_KEY_ALGORITHM: 'hmac-sha512' }),
        () =>
          `The name server has no key ${key()} with the algorithm hmac-sha512 (BADKEY). Correct RFC2136_KEY_NAME and ` +
          'RFC2136_KEY_ALGORITHM, or add the key to the server.',
      ],
      [
        'a wrong secret',
        () => ({ RFC2136_KEY_SECRET: Buffer.alloc(32).toString('base64') }),
        () => `The name server has another secret for the key ${key()} (BADSIG). Correct RFC2136_KEY_SECRET.`,
      ],
      [
        'another zone',
        () => ({ PLATFORM_DOMAIN: 'apps.example.net', RFC2136_ZONE: 'example.net' }),
        () =>
          `The name server does not serve the zone example.net, or does not let the key ${key()} read it (REFUSED). ` +
          'Correct RFC2136_ZONE or RFC2136_SERVER, or allow the key to query the zone.',
      ],
    ])('names %s', async (_, changes, text) => {
      expect(await line('dns', changes())).toBe(`fault    dns  ${text()}`);
    });

    it.each([-HOUR_MS, HOUR_MS])('names a clock that is wrong by %d ms', async (shiftMs) => {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + shiftMs);
      expect(await line('dns')).toBe(
        'fault    dns  The clocks of the name server and of this machine differ by more than five minutes (BADTIME). ' +
          'Run NTP on both machines.',
      );
    });

    it('names a server that is not there', async () => {
      const RFC2136_SERVER = `127.0.0.1:${await closedPort()}`;
      expect(await line('dns', { RFC2136_SERVER })).toBe(
        `fault    dns  The name server ${RFC2136_SERVER} refuses connections (ECONNREFUSED). Correct RFC2136_SERVER, or ` +
          'start the service, and let this machine reach it through firewalls.',
      );
    });

    it('names a refused update', async () => {
      // The key may change TXT records below acme alone.
      expect(await line('acme-zone', { ACME_ZONE: `other.${DOMAIN}` })).toBe(
        `fault    acme-zone  The name server does not let the key ${key()} change TXT records below other.${DOMAIN} ` +
          `(${each.refusal}). Allow it as docs/operations.md shows: update-policy of BIND, or an acl with the action update of ` +
          'Knot. Or correct RFC2136_ZONE.',
      );
    });

    it('names a host name of the edge that does not resolve', async () => {
      const CDN_HOSTNAME = `a.b.edge.${DOMAIN}`;
      expect(await line('cdn-hostname', { CDN_HOSTNAME })).toBe(
        `fault    cdn-hostname  ${CDN_HOSTNAME} does not resolve. Correct CDN_HOSTNAME, or create an A or AAAA record of ` +
          `${CDN_HOSTNAME} with the address of the edges.`,
      );
    });
  });
