import {
  CreateBucketCommand,
  DeleteBucketCommand,
  HeadBucketCommand,
  ListBucketsCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BUCKET, Fixture, outcome } from './testing/fixture.ts';
import { presign } from './testing/presign.ts';
import type { PresignedRequest } from './testing/presign.ts';

let fixture: Fixture;

beforeAll(async () => {
  fixture = await Fixture.start();
});
afterAll(() => fixture.stop());

function send(link: PresignedRequest, init: RequestInit = {}): Promise<Response> {
  return fetch(presign(fixture.endpoint, link), { method: link.method, ...init });
}

const codeOf = async (response: Response): Promise<string | undefined> =>
  /<Code>(\w+)</.exec(await response.text())?.[1];
const put = (key: string, body: string): Promise<Response> => send({ method: 'PUT', key }, { body });
const read = async (key: string): Promise<string> => (await send({ method: 'GET', key })).text();

describe('presigned links', () => {
  it('upload and download', async () => {
    expect((await put('linked', 'hello')).status).toBe(200);
    expect(await read('linked')).toBe('hello');
  });

  it('rename the download and carry metadata', async () => {
    await send({ method: 'PUT', key: 'meta', query: { 'x-amz-meta-colour': 'red' } }, { body: 'x' });
    const query = { 'response-content-disposition': 'attachment; filename="a.txt"' };
    const response = await send({ method: 'GET', key: 'meta', query });
    expect(response.headers.get('content-disposition')).toBe(query['response-content-disposition']);
    expect(response.headers.get('x-amz-meta-colour')).toBe('red');
  });

  it('expire', async () => {
    const response = await send({ method: 'GET', key: 'linked', signedAt: new Date(Date.now() - 61_000) });
    expect([response.status, await codeOf(response)]).toEqual([403, 'AccessDenied']);
  });

  it('are valid for one method', async () => {
    const response = await fetch(presign(fixture.endpoint, { method: 'GET', key: 'linked' }), { method: 'DELETE' });
    expect([response.status, await codeOf(response)]).toEqual([403, 'SignatureDoesNotMatch']);
  });
});

describe('responses', () => {
  it('carry a request id, also in errors', async () => {
    const response = await send({ method: 'GET', key: 'nothing' });
    const id = response.headers.get('x-amz-request-id');
    expect(id).toMatch(/^[0-9A-F]{16}$/);
    expect(await response.text()).toContain(`<RequestId>${id}</RequestId>`);
  });

  it('refuse unsigned requests', async () => {
    const response = await fetch(`${fixture.endpoint}/${BUCKET}/linked`);
    expect([response.status, await codeOf(response)]).toEqual([403, 'AccessDenied']);
  });

  it.each([
    ['PUT', { acl: '' }, 501, 'NotImplemented'],
    ['GET', { versionId: 'x' }, 501, 'NotImplemented'],
    ['POST', {}, 405, 'MethodNotAllowed'],
    ['GET', { uploadId: 'x' }, 404, 'NoSuchUpload'],
  ])('refuse %s with %j', async (method, query, status, code) => {
    const response = await send({ method, key: 'linked', query });
    expect([response.status, await codeOf(response)]).toEqual([status, code]);
  });

  it('reach a client that is still sending a refused body', async () => {
    await put('present', 'old');
    const client = fixture.client();
    const Body = Buffer.alloc(8 * 1024 * 1024);
    const refused = client.send(new PutObjectCommand({ Bucket: BUCKET, Key: 'present', Body, IfNoneMatch: '*' }));
    expect(await outcome(refused)).toBe('412 PreconditionFailed');
  });
});

describe('interrupted uploads', () => {
  it.each(['reset', 'end'] as const)('keep the old object and leave no files: %s', async (ending) => {
    await put('broken', 'old');
    const url = new URL(presign(fixture.endpoint, { method: 'PUT', key: 'broken' }));
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => undefined);
    socket.resume();
    const announced = `PUT ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: 50000000\r\n\r\n`;
    socket.write(announced);
    await new Promise((resolve) => socket.write(Buffer.alloc(5_000_000), resolve));
    if (ending === 'reset') socket.resetAndDestroy();
    else socket.end();
    if (!socket.closed) await once(socket, 'close');
    await fixture.restart();
    expect(await read('broken')).toBe('old');
    expect(await readdir(join(fixture.dataDir, 's3', 'tmp'))).toEqual([]);
    expect(await readdir(join(fixture.dataDir, 's3', 'buckets', BUCKET, 'blobs'))).toEqual([]);
  });
});

describe('buckets', () => {
  it('are created and deleted', async () => {
    const client = fixture.client();
    const Bucket = 'another-bucket';
    expect(await outcome(client.send(new HeadBucketCommand({ Bucket })))).toBe('404 NotFound');
    expect(await outcome(client.send(new CreateBucketCommand({ Bucket })))).toBe('200');
    expect(await outcome(client.send(new CreateBucketCommand({ Bucket })))).toBe('409 BucketAlreadyOwnedByYou');
    const { Buckets } = await client.send(new ListBucketsCommand({}));
    expect(Buckets?.map(({ Name }) => Name)).toEqual([Bucket, BUCKET]);
    expect(await outcome(client.send(new DeleteBucketCommand({ Bucket: BUCKET })))).toBe('409 BucketNotEmpty');
    expect(await outcome(client.send(new DeleteBucketCommand({ Bucket })))).toBe('204');
    expect(await outcome(client.send(new PutObjectCommand({ Bucket, Key: 'k', Body: 'x' })))).toBe('404 NoSuchBucket');
  });
});
