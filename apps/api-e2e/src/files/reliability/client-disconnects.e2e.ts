import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcess, spawnApi } from '../../product-processes';
import { settings, signIn } from '../../homeport';
import { suiteSize, inParallel, randomFrom, seed, until } from '../../suites';
import { type AbortedRequest, abortDownload, abortUpload, chunkedEncoding } from './aborted-requests';
import { FaultProxy } from './fault-proxy';
import { contentOf } from './file-operations';
import { rawCall } from './raw-call';

const UPLOADS = suiteSize(20, 2_000);
const DOWNLOADS = suiteSize(20, 2_000);
const CONCURRENCY = 16;
const KIB = 1024;
const MIB = 1024 * KIB;
/** Small sizes are frequent, because most of a large file remains to be sent after an abort. */
const SIZES = [700, 4 * KIB, 60 * KIB, 900 * KIB, 2 * MIB, 17 * MIB];
const CHUNKED = [4 * KIB, 3 * MIB, 9 * MIB];
const FILES = SIZES.map((size) => ({ path: `old-${size}`, size }));

describe('transfers that the client aborts', () => {
  const folder = `cuts-${process.pid}`;
  const random = randomFrom(seed);
  const randomOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const bodies = new Map<string, Buffer>();
  let proxy: FaultProxy;
  let api: ApiProcess;
  let token: string;
  let base: number;
  /** What a test waits for: the explanation when it does not end. */
  let waitsFor = '';
  let s3: S3Client;

  const call = (method: string, path: string, body?: Buffer) =>
    rawCall({ method, url: `${api.url}/api/files${path}`, token, body });
  const contentAt = (path: string, size: number) => contentOf(`${folder}/${path}`, size);
  const headOf = (method: string, path: string, rest: string) =>
    Buffer.from(
      `${method} /api/files/${folder}/${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n${rest}\r\n`,
    );

  beforeAll(async () => {
    proxy = await FaultProxy.start(settings['S3_ENDPOINT'] as string);
    [api, { token }] = await Promise.all([spawnApi({ S3_ENDPOINT: proxy.endpoint }), signIn('ben')]);
    s3 = new S3Client({
      endpoint: settings['S3_ENDPOINT'] as string,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: {
        accessKeyId: settings['S3_ACCESS_KEY_ID'] as string,
        secretAccessKey: settings['S3_SECRET_ACCESS_KEY'] as string,
      },
    });
    for (const { path, size } of FILES) {
      expect((await call('PUT', `/${folder}/${path}`, contentAt(path, size))).status).toBe(201);
    }
    base = await stableSocketCount();
  });
  afterEach(() => {
    expect([api.isAlive(), api.unexpectedErrors(), api.errorLines()]).toEqual([true, [], []]);
    const isOver = waitsFor === 'nothing';
    expect({ waitsFor, ...(!isOver && { base, connections: proxy.connections, open: api.descriptors() }) }).toEqual({
      waitsFor: 'nothing',
    });
  });
  afterAll(async () => {
    s3.destroy();
    await api.stop();
    await proxy.stop();
  });

  /** The number of sockets, without idle connections to storage, once it is stable. */
  async function stableSocketCount(): Promise<number> {
    let last = -1;
    await until(() => {
      proxy.dropConnections();
      const before = last;
      last = api.sockets();
      return last === before;
    });
    return last;
  }

  const openUploads = async () =>
    (
      (await s3.send(new ListMultipartUploadsCommand({ Bucket: settings['S3_BUCKET'] as string }))).Uploads ?? []
    ).filter(({ Key }) => Key?.includes(folder));

  /** Resolves when all aborted transfers have ended and no multipart upload remains. */
  async function releasesResources(): Promise<void> {
    waitsFor = 'sockets of clients';
    await until(() => api.sockets() <= base + proxy.connections);
    waitsFor = 'multipart uploads';
    await until(async () => (await openUploads()).length === 0);
    waitsFor = 'sockets of the storage';
    await until(() => {
      proxy.dropConnections();
      return api.sockets() <= base;
    });
  }

  async function oldFilesAreIntact(): Promise<void> {
    for (const { path, size } of FILES) {
      const { status, body } = await call('GET', `/${folder}/${path}`);
      expect([path, status, body.equals(contentAt(path, size))]).toEqual([path, 200, true]);
    }
  }

  /** Every second upload replaces a file, and every third one has no declared length. */
  function uploadNumber(number: number): Omit<AbortedRequest, 'port'> {
    const isChunked = number % 3 === 0;
    const size = isChunked ? randomOf(CHUNKED) : randomOf(SIZES);
    const path = number % 2 === 0 ? randomOf(FILES).path : `new/${number}`;
    const body = bodies.get(`${size} ${isChunked}`) ?? bodyOf(size, isChunked);
    bodies.set(`${size} ${isChunked}`, body);
    const head = headOf('PUT', path, isChunked ? 'Transfer-Encoding: chunked\r\n' : `Content-Length: ${size}\r\n`);
    return { parts: [head, body], after: Math.floor(random() * (head.length + body.length)), way: random() };
  }

  function bodyOf(size: number, isChunked: boolean): Buffer {
    const body = Buffer.alloc(size, 'never to be seen;');
    return isChunked ? chunkedEncoding(body) : body;
  }

  it(`leave nothing of ${UPLOADS} uploads`, async () => {
    const port = Number(new URL(api.url).port);
    waitsFor = 'aborted uploads';
    const aborted = Array.from({ length: UPLOADS }, (_, i) => uploadNumber(i));
    await inParallel(aborted, CONCURRENCY, (request) => abortUpload({ port, ...request }));
    await releasesResources();
    waitsFor = 'later calls';
    const { body } = await call('GET', `?prefix=${folder}/new/`);
    expect(JSON.parse(body.toString())).toMatchObject({ items: [] });
    await oldFilesAreIntact();
    // Large uploads succeed, so the memory for uploads was released.
    const size = 9 * MIB;
    const again = Array.from({ length: 4 }, (_, i) =>
      rawCall({
        method: 'PUT',
        url: `${api.url}/api/files/${folder}/again-${i}`,
        token,
        isChunked: true,
        body: contentAt('again', size),
      }),
    );
    expect((await Promise.all(again)).map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    waitsFor = 'nothing';
  }, 900_000);

  it(`leave nothing open after ${DOWNLOADS} downloads`, async () => {
    const port = Number(new URL(api.url).port);
    waitsFor = 'aborted downloads';
    const aborted = Array.from({ length: DOWNLOADS }, () => {
      const { path, size } = randomOf(FILES);
      return { parts: [headOf('GET', path, '')], after: Math.floor(random() * size), way: random() };
    });
    await inParallel(aborted, CONCURRENCY, (request) => abortDownload({ port, ...request }));
    await releasesResources();
    waitsFor = 'later calls';
    await oldFilesAreIntact();
    waitsFor = 'nothing';
  }, 900_000);
});
