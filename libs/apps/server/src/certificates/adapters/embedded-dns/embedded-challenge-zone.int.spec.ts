import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningDns, startDns } from '@homeport/dev-services';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { challengeZoneContract } from '../../../testing/challenge-zone.contract';
import { lookUpTexts } from '../../../testing/dns-lookup';
import { EmbeddedChallengeZone } from './embedded-challenge-zone';

describe('the embedded DNS server', () => {
  let folder = '';
  let dns: RunningDns;
  const { signal } = new AbortController();
  const open = () => new EmbeddedChallengeZone(dns);
  const start = () => startDns({ dataDir: folder, domain: 'apps.localhost', challengeZone: 'acme.apps.localhost' });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-challenges-'));
    dns = await start();
  });
  afterAll(async () => {
    await dns.close();
    await rm(folder, { recursive: true });
  });

  challengeZoneContract(EmbeddedChallengeZone.name, () => ({
    zone: open(),
    zoneName: 'acme.apps.localhost',
    lookUp: (name) => lookUpTexts(dns.port, name),
  }));

  it('keeps values when it starts again', async () => {
    await open().add('kept.acme.apps.localhost', 'value', signal);
    await dns.close();
    dns = await start();
    expect(await lookUpTexts(dns.port, 'kept.acme.apps.localhost')).toEqual(['value']);
  });

  it.each(['acme.apps.localhost', 'shop.apps.localhost', 'elsewhere.example', 'not a name.acme.apps.localhost'])(
    'refuses %s, which is not below the zone',
    async (name) => {
      await expect(open().add(name, 'value', signal)).rejects.toMatchObject({ code: 'invalid-record' });
    },
  );

  it('refuses a wrong token', async () => {
    const other = new EmbeddedChallengeZone({ ...dns, token: 'other' });
    await expect(other.add('a.acme.apps.localhost', 'value', signal)).rejects.toMatchObject({ code: 'access-denied' });
  });
});
