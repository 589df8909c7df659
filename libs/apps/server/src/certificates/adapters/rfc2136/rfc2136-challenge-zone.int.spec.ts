import { BIND, findPrograms, KNOT, type RunningNameServer, startBind, startKnot } from '@homeport/dev-services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Rfc2136Options } from '../../../dns/adapters/rfc2136/name-server-client';
import { challengeZoneContract } from '../../../testing/challenge-zone.contract';
import { lookUpTexts } from '../../../testing/dns-lookup';
import { Rfc2136ChallengeZone } from './rfc2136-challenge-zone';

const SERVERS = [
  { title: 'BIND', programs: BIND, start: startBind },
  { title: 'Knot', programs: KNOT, start: startKnot },
];
const { signal } = new AbortController();

for (const { title, programs, start } of SERVERS) {
  // `npm test` reports a missing server; in CI that is a failure.
  const isInstalled = (await findPrograms(programs)) !== undefined;
  (isInstalled ? describe : describe.skip)(title, () => {
    let server: RunningNameServer;
    const open = (changes: Partial<Rfc2136Options> = {}) => {
      const { domain: zone, key, port } = server;
      const secret = Buffer.from(key.secret, 'base64');
      return new Rfc2136ChallengeZone({
        server: { host: '127.0.0.1', port },
        zone,
        key: { ...key, secret },
        ...changes,
      });
    };

    beforeAll(async () => {
      server = await start({});
    });
    afterAll(() => server.close());

    challengeZoneContract(`${Rfc2136ChallengeZone.name} on ${title}`, () => ({
      zone: open(),
      zoneName: `acme.${server.domain}`,
      lookUp: (name) => lookUpTexts(server.port, name),
    }));

    it('may write TXT records below the challenge zone only', async () => {
      const name = `shop.${server.domain}`;
      await expect(open().add(name, 'value', signal)).rejects.toMatchObject({ code: 'access-denied' });
      expect(await lookUpTexts(server.port, name)).toEqual([]);
    });

    it('reports an invalid name, a wrong secret and a zone that the server does not have', async () => {
      const name = `a.acme.${server.domain}`;
      const long = open().add(`${'a'.repeat(64)}.${name}`, 'value', signal);
      await expect(long).rejects.toMatchObject({ code: 'invalid-record' });
      const wrong = open({ key: { name: server.key.name, algorithm: server.key.algorithm, secret: Buffer.alloc(32) } });
      await expect(wrong.add(name, 'value', signal)).rejects.toMatchObject({ code: 'access-denied' });
      const other = open({ zone: 'other.example' });
      await expect(other.add('a.other.example', 'value', signal)).rejects.toMatchObject({ code: 'zone-missing' });
    });
  });
}
