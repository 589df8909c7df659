import { CreateBucketCommand, ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { s3OptionsOf } from '@homeport/platform/server/config';
import { createS3Client } from '@homeport/platform/server/storage';
import { embeddedServices } from '@homeport/platform/server/testing';
import { loadConfig } from '../config';
import { DenyingStorage, type StorageCall } from './testing/denying-storage';
import { storageChecks } from './storage-checks';
import { doctorLine } from './testing/doctor-lines';

const PREFIX = 'u/examination/';
const DENIED = 'The keys may not do everything in the bucket (AccessDenied). Grant';

describe('the doctor of storage that denies calls', () => {
  // Other tests of the doctor leave probes in the common bucket.
  const bucket = `denied-storage-${process.pid}`;
  const services: ReturnType<typeof embeddedServices> = { ...embeddedServices(), S3_BUCKET: bucket };
  const client = createS3Client(s3OptionsOf(loadConfig(services)), 1);
  let storage: DenyingStorage;
  beforeAll(async () => {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    storage = await DenyingStorage.open(services['S3_ENDPOINT'] as string, bucket);
  });
  afterEach(() => {
    storage.denies = () => false;
    storage.loses = () => false;
  });
  afterAll(async () => {
    client.destroy();
    await storage.close();
  });

  const line = (name: string) => doctorLine(name, { ...services, S3_ENDPOINT: `http://${storage.host}` });
  const isObject = (method: string, parameter?: string) => (call: StorageCall) =>
    !call.isBucket && call.method === method && (parameter === undefined || call.query.has(parameter));

  it.each<[string, string, (call: StorageCall) => boolean, string]>([
    ['storage-access', 'writes', isObject('PUT'), 's3:PutObject'],
    ['storage-access', 'reads', isObject('GET'), 's3:GetObject'],
    ['storage-access', 'deletions', isObject('DELETE'), 's3:DeleteObject'],
    ['storage-access', 'lists', ({ query }) => query.get('prefix') === PREFIX, 's3:ListBucket'],
    ['storage-uploads', 'uploads in parts', isObject('POST', 'uploads'), 's3:PutObject'],
    [
      'storage-uploads',
      'lists of uploads',
      ({ isBucket, query }) => isBucket && query.has('uploads'),
      's3:ListBucketMultipartUploads',
    ],
    ['storage-uploads', 'aborts of uploads', isObject('DELETE', 'uploadId'), 's3:AbortMultipartUpload'],
  ])('%s names denied %s', async (name, _, denies, permission) => {
    storage.denies = denies;
    expect(await line(name)).toBe(`fault    ${name}  ${DENIED} ${permission} to the keys.`);
  });

  it('names a denied bucket', async () => {
    storage.denies = () => true;
    expect(await line('storage')).toBe(
      `fault    storage  The storage at ${storage.host} denies access to the bucket ${bucket} (AccessDenied). Grant ` +
        's3:ListBucket on the bucket to the keys, or correct S3_BUCKET.',
    );
  });

  describe('its probes', () => {
    let before: unknown;
    beforeEach(async () => {
      before = await probes();
    });

    async function probes() {
      const target = { Bucket: bucket, Prefix: PREFIX };
      const [objects, uploads] = await Promise.all([
        client.send(new ListObjectsV2Command(target)),
        client.send(new ListMultipartUploadsCommand(target)),
      ]);
      return [objects.KeyCount, uploads.Uploads?.length ?? 0];
    }

    it('are removed when reads and lists are denied', async () => {
      storage.denies = ({ method, isBucket, query }) =>
        (method === 'GET' && !isBucket) || (isBucket && query.has('uploads'));
      expect(await line('storage-access')).toContain('s3:GetObject');
      expect(await line('storage-uploads')).toContain('s3:ListBucketMultipartUploads');
      expect(await probes()).toEqual(before);
    });

    it.each([
      ['storage-access', 'a write', isObject('PUT')],
      ['storage-access', 'a read', isObject('GET')],
      ['storage-uploads', 'the start of an upload in parts', isObject('POST', 'uploads')],
    ])('of %s are removed when the answer to %s does not arrive', async (name, _, isLost) => {
      const limit = new AbortController();
      storage.loses = (call) => {
        if (!isLost(call)) return false;
        limit.abort();
        return true;
      };
      const config = loadConfig({ ...services, S3_ENDPOINT: `http://${storage.host}` });
      const check = storageChecks(config).find((each) => each.name === name);
      await expect(check?.run(limit.signal)).rejects.toMatchObject({ name: 'AbortError' });
      expect(await probes()).toEqual(before);
    });

    it('are removed when a conditional write is denied', async () => {
      let writes = 0;
      storage.denies = (call) => isObject('PUT')(call) && ++writes > 2;
      expect(await line('storage-conditions')).toContain('AccessDenied');
      expect(await probes()).toEqual(before);
    });
  });
});
