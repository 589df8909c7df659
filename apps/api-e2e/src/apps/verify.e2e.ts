import { createHash } from 'node:crypto';
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callAt } from '../homeport';
import { Installation } from '../installation';
import { suiteSize, until } from '../suites';
import type { DeployClient } from './deploy-client';
import { visitHost } from './visit';

const PAGE = 'a page that is lost';
const LEFT_OVER = `sites/${'A'.repeat(43)}/${'0'.repeat(64)}/00000000-0000-4000-8000-000000000000`;

describe('the command that verifies an installation', () => {
  let installation: Installation;
  let ada: DeployClient;

  beforeAll(async () => {
    installation = await Installation.start();
    ada = await installation.deployer();
  });
  afterAll(() => installation?.close());

  const verify = (...args: Parameters<Installation['verify']>) => installation.verify(...args);
  const blobNames = async () => {
    const { storage, bucket } = installation;
    const { Contents = [] } = await storage.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: 'sites/' }));
    return Contents.map(({ Key = '' }) => Key);
  };

  it('finds nothing while people register, deploy and delete', async () => {
    let isStopped = false;
    const people = [0, 1].map(async () => {
      while (!isStopped) {
        const app = await ada.register('Busy');
        await ada.deploy(app.id, { 'index.html': app.id, 'same.txt': 'x'.repeat(2_000) });
        await ada.delete(app.id);
      }
    });
    for (let i = 0; i < suiteSize(1, 20); i += 1) {
      const { code, output } = await verify();
      // A record that is changed at this moment is not compared, and one of a deleted app may still be removed.
      expect([output, code]).toEqual([expect.not.stringMatching(/fault:/), 0]);
    }
    isStopped = true;
    await Promise.all(people);
    await until(async () => (await verify()).output === 'Nothing is wrong.\n');
  });

  it('names what was lost and what was left over, and repairs it', async () => {
    const app = await ada.register('Damaged');
    const { body: deploy } = await ada.deploy(app.id, { 'index.html': PAGE });
    const digest = createHash('sha256').update(PAGE).digest('hex');
    const lost = (await blobNames()).find((name) => name.includes(digest)) ?? '';
    const { storage, bucket } = installation;
    await storage.send(new DeleteObjectCommand({ Bucket: bucket, Key: lost }));
    await storage.send(new PutObjectCommand({ Bucket: bucket, Key: LEFT_OVER, Body: 'x' }));
    const { code, output } = await verify();
    expect(code).toBe(1);
    expect(output).toContain(`fault: blob ${lost}. It is not in the storage.`);
    expect(output).toContain(`surplus: blob ${LEFT_OVER}. The database does not know it. --repair removes it.`);
    expect(output).toMatch(/\n1 fault, 1 surplus\. --repair removes what is surplus\.\n$/);
    const repaired = await verify(['--repair']);
    expect(repaired.output).toMatch(/^Repaired: .* 1 lost blobs marked, 1 unknown blobs removed\.$/m);
    expect(await blobNames()).not.toContain(LEFT_OVER);
    // The same content is uploaded again.
    const { body: again } = await ada.deploy(app.id, { 'index.html': PAGE });
    expect(again.id).not.toBe(deploy.id);
    expect((await visitHost(app.hostname, '/', { port: installation.edgePort })).body).toBe(PAGE);
    await callAt(installation.url, `/api/deploys/${deploy.id}`, { token: ada.token, method: 'DELETE' });
    await until(async () => (await verify()).code === 0);
  });

  const incomplete = [
    ['the database', { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }],
    ['the storage', { S3_ENDPOINT: 'http://127.0.0.1:1' }],
    ['a setting', { S3_BUCKET: '' }],
  ] as const;
  it.each(incomplete.slice(0, suiteSize(1, incomplete.length)))(
    'says that it could not compare, and exits with 2, without %s',
    async (_, changes) => {
      const { code, errors } = await verify([], changes);
      expect([code, errors]).toEqual([2, expect.stringMatching(/^Homeport could not be verified: /)]);
    },
  );
});
