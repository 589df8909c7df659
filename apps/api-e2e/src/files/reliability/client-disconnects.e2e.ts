import { ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiProcess, spawnApi } from '../../product-processes';
import { settings, signIn } from '../../homeport';
import { suiteSize, inParallel, randomFrom, seed, until } from '../../suites';
import { type AbortedRequest, abortDownload, abortUpload, chunkedEncoding } from './aborted-requests';
import { FaultProxy } from './fault-proxy';
import { contentOf } from './file-operations';
import { rawCall } from './raw-call';

const UPLOADS = suiteSize(60, 2_000);
const DOWNLOADS = suiteSize(60, 2_000);
const WIDTH = 16;
const KIB = 1024;
const MIB = 1024 * KIB;
/** The smallest ones come often: of the large ones a cut leaves much to send. */
const SIZES = [700, 4 * KIB, 60 * KIB, 900 * KIB, 2 * MIB, 17 * MIB];
const CHUNKED = [4 * KIB, 3 * MIB, 9 * MIB];
const FILES = SIZES.map((size) => ({ path: `old-${size}`, size }));

describe('transfers that their client cuts off', () => {
  const folder = `cuts-${process.pid}`;
  const random = randomFrom(seed);
  const oneOf = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const bodies = new Map<string, Buffer>();
  let proxy: FaultProxy;
  let api: ApiProcess;
  let token: string;
  let base: number;
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
    base = await socketsAtRest();
  });
  afterEach(() => {
    expect([api.isAlive(), api.unexpectedErrors(), api.errorLines()]).toEqual([true, [], []]);
  });
  afterAll(async () => {
    s3.destroy();
    await api.stop();
    await proxy.stop();
  });

  /** Without those to the storage, which are kept; asked until the number stays. */
  async function socketsAtRest(): Promise<number> {
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

  /** Nothing of the cut transfers is under way any more, and nothing of them stays. */
  async function restoresItself(): Promise<void> {
    await until(() => api.sockets() <= base + proxy.connections);
    await until(async () => (await openUploads()).length === 0);
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

  /** Every second one would replace a file, and every third one does not say how long it is. */
  function uploadNumber(number: number): Omit<AbortedRequest, 'port'> {
    const isChunked = number % 3 === 0;
    const size = isChunked ? oneOf(CHUNKED) : oneOf(SIZES);
    const path = number % 2 === 0 ? oneOf(FILES).path : `new/${number}`;
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
    const cuts = Array.from({ length: UPLOADS }, (_, i) => uploadNumber(i));
    await inParallel(cuts, WIDTH, (cut) => abortUpload({ port, ...cut }));
    await restoresItself();
    const { body } = await call('GET', `?prefix=${folder}/new/`);
    expect(JSON.parse(body.toString())).toMatchObject({ items: [] });
    await oldFilesAreIntact();
    // All of the memory for uploads has been given back.
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
  }, 900_000);

  it(`leave nothing behind of ${DOWNLOADS} downloads`, async () => {
    const port = Number(new URL(api.url).port);
    const cuts = Array.from({ length: DOWNLOADS }, () => {
      const { path, size } = oneOf(FILES);
      return { parts: [headOf('GET', path, '')], after: Math.floor(random() * size), way: random() };
    });
    await inParallel(cuts, WIDTH, (cut) => abortDownload({ port, ...cut }));
    await restoresItself();
    await oldFilesAreIntact();
  }, 900_000);
});
