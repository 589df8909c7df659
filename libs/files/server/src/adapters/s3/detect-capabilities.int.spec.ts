import { CreateBucketCommand, CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createS3Client, type S3Options } from '@homeport/platform/server/storage';
import { testBuckets } from '@homeport/platform/server/testing';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { MemoryBudget } from '../../application/memory-budget';
import { StorageFailed, StorageUnavailable, StorageIncompatible } from '../../domain/files.errors';
import { workspaceKey, workspaceRoot } from '../../domain/workspace-key';
import { S3ObjectStore } from './s3-object-store';

const MIB = 1024 * 1024;
const KEY = workspaceKey(
  workspaceRoot({ issuer: 'https://examined.example', subject: `${process.hrtime.bigint()}` }),
  'a',
);
const newStore = (options: S3Options) => new S3ObjectStore(options, new MemoryBudget(64 * MIB));

describe.each([...testBuckets()])('%s', (storage, options) => {
  it('is checked once, and its limitations are returned', async () => {
    const store = newStore(options);
    const limitations = await store.checkCompatibility();
    expect(limitations).toHaveLength(storage === 'Ceph' ? 3 : 0);
    expect(await store.checkCompatibility()).toEqual(limitations);
  });

  it('aborts incomplete uploads, and no other ones', async () => {
    // A separate bucket, because other specs have active uploads.
    const target = { ...options, bucket: `leftovers-${process.hrtime.bigint()}` };
    const client = createS3Client(target, 1);
    await client.send(new CreateBucketCommand({ Bucket: target.bucket }));
    const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket: target.bucket, Key: KEY }));
    const unfinished = async () =>
      (await client.send(new ListMultipartUploadsCommand({ Bucket: target.bucket }))).Uploads ?? [];
    expect(await newStore(target).abortIncompleteUploads(new Date(0))).toBe(0);
    const [found] = await unfinished();
    expect(found?.UploadId).toBe(UploadId);
    expect(await newStore(target).abortIncompleteUploads(new Date((found?.Initiated as Date).getTime() + 1))).toBe(1);
    expect(await unfinished()).toEqual([]);
    client.destroy();
  });
});

describe('an incompatible storage', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const storeOn = async (handler: RequestListener) => {
    server = createServer((request, response) => {
      request.resume();
      request.once('end', () => void handler(request, response));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return newStore({
      ...(testBuckets().get('the embedded S3 server') as S3Options),
      endpoint,
    });
  };
  const write = (store: S3ObjectStore, condition: { absent: true } | undefined) =>
    store.put(KEY, {
      body: Buffer.from('x'),
      contentType: 'text/plain',
      condition,
      signal: new AbortController().signal,
    });

  it('is rejected when it ignores conditions, and so is every conditional write', async () => {
    const store = await storeOn((_request, response) => {
      response.writeHead(200, { etag: '"a"', 'last-modified': new Date(0).toUTCString() }).end();
    });
    await expect(store.checkCompatibility()).rejects.toBeInstanceOf(StorageIncompatible);
    await expect(write(store, { absent: true })).rejects.toBeInstanceOf(StorageFailed);
    await expect(write(store, undefined)).resolves.toMatchObject({ etag: '"a"' });
  });

  it('is rejected when it accepts no entity tag', async () => {
    const store = await storeOn((request, response) => {
      const isRefused = 'if-match' in request.headers || (request.headers['if-none-match'] === '*' && wrote);
      wrote = true;
      response.writeHead(isRefused ? 412 : 200, { etag: '"a"' }).end();
    });
    let wrote = false;
    await expect(store.checkCompatibility()).rejects.toBeInstanceOf(StorageIncompatible);
  });

  it('is checked again when the first check got no valid response', async () => {
    const store = await storeOn((_request, response) => {
      response.writeHead(503).end();
    });
    await expect(store.checkCompatibility()).rejects.toBeInstanceOf(StorageUnavailable);
    server?.removeAllListeners('request').on('request', (_request, response) => response.writeHead(403).end());
    await expect(store.checkCompatibility()).rejects.toBeInstanceOf(StorageFailed);
  });
});
