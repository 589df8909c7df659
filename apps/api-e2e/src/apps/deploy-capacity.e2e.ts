import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '@homeport/apps/contracts';
import { type ApiProcess, spawnApi } from '../product-processes';
import { tarGz } from './archives';
import { DeployClient } from './deploy-client';
import type { MemberClient } from './member-client';
import { ApiFixture } from './api-fixture';

/** A tar.gz of 74 bytes whose size field begins with 0xC2. */
const HANGING = Buffer.from(
  'H4sIAAAAAAAAA0tkoD0wMDAwMDMxAdMGBgZw+pABHDAYoLDNjI0MGBQM6OA2htLiksQiBgO62DUKRsEoGAWDCAAAH5MolwAGAAA=',
  'base64',
);

interface Tenant {
  readonly member: MemberClient;
  readonly app: App;
}

describe('upload capacity', () => {
  const stalledUploads: ClientRequest[] = [];
  let fixture: ApiFixture;
  let temporary: string;
  let api: ApiProcess;
  let archive: Buffer;

  beforeAll(async () => {
    fixture = await ApiFixture.open();
    await fixture.embeddedDns();
    temporary = await mkdtemp(join(tmpdir(), 'homeport-capacity-'));
    api = await fixture.api({ TMPDIR: temporary });
    archive = await tarGz({ 'index.html': '<h1>Hello</h1>' });
  });
  afterAll(async () => {
    for (const stall of stalledUploads) stall.destroy();
    await fixture.close();
    await rm(temporary, { recursive: true });
  });

  const tenant = async (organization: string): Promise<Tenant> => {
    const member = await fixture.member(organization);
    return { member, app: (await member.register(api.url, `Capacity ${organization}`)).body };
  };
  const uploadTo = ({ member, app }: Tenant, body: Buffer) =>
    new DeployClient(member.token, api.url).send(app.id, body);
  /** Sends the beginning of an archive and then stalls. */
  const stall = async ({ member, app }: Tenant) => {
    const headers = { 'content-type': 'application/gzip', authorization: `Bearer ${member.token}` };
    const sent = request(`${api.url}/api/apps/${app.id}/deploys`, { method: 'POST', headers });
    sent.on('error', () => undefined).on('response', (response) => response.resume());
    stalledUploads.push(sent);
    await new Promise((resolve) => sent.write(archive.subarray(0, 20), resolve));
  };

  it('is not used up by archives with a malformed size', async () => {
    const one = await tenant('northwind');
    for (let i = 0; i < 9; i += 1) {
      const { status, body } = await uploadTo(one, HANGING);
      expect([status, body.code]).toEqual([422, 'apps.archive-rejected']);
      expect(body.errors).toEqual([
        { field: 'archive', reason: 'The archive is damaged: a size in a header is not a number.' },
      ]);
    }
    expect((await uploadTo(one, archive)).status).toBe(201);
  });

  it('is available to other organizations during stalled uploads, and no files remain after a stop', async () => {
    const [own, ...others] = await Promise.all(
      ['umbrella', 'globex', 'acme', 'initech', 'hooli'].map((each) => tenant(each)),
    );
    for (const other of others) for (let i = 0; i < 6; i += 1) await stall(other);
    for (let i = 0; i < 5; i += 1) expect((await uploadTo(own!, archive)).status).toBe(201);
    expect(await readdir(temporary)).toHaveLength(1);
    await api.stop();
    expect(await readdir(temporary)).toEqual([]);
  });

  it('requires a writable temporary folder: otherwise the API does not start', async () => {
    const file = join(temporary, 'no-folder');
    await writeFile(file, '');
    await expect(spawnApi({ TMPDIR: file })).rejects.toThrow();
  });
});
