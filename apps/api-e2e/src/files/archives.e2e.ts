import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unzipSync } from 'fflate';
import { callAt, products, settings } from '../homeport';
import { type ApiProcess, spawnApi } from '../product-processes';
import { FaultProxy } from './reliability/fault-proxy';
import { faultyFileName } from './reliability/faults';
import { createTestTenant, type TestTenant } from './test-tenant';

const MIB = 1024 ** 2;

/** Requests an archive. @param as an access token. */
function requestArchive(url: string, as: string, paths: readonly string[]): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return callAt(url, '/api/archives', { token: as, method: 'POST', headers, body: JSON.stringify({ paths }) });
}

async function linkTo(url: string, as: string, ...paths: string[]): Promise<string> {
  const answer = await requestArchive(url, as, paths);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { url: string }).url;
}

/** Downloads without an access token. */
async function unzip(url: string, link: string): Promise<Record<string, Buffer>> {
  const answer = await callAt(url, link);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes)]));
}

describe.each(products)('archives, on $storage', ({ url }) => {
  let tenant: TestTenant;
  const large = randomBytes(3 * MIB);

  beforeAll(async () => {
    tenant = await createTestTenant(url);
    const { put } = tenant;
    const files = {
      'zip/a.md': 'a',
      'zip/A.md': 'A',
      'zip/Gr%C3%B6%C3%9Fe/%F0%9F%8E%89.md': 'party',
      'zip/10:30.md': 'time',
    };
    for (const [path, text] of Object.entries(files)) expect((await put(path, text)).status).toBe(201);
    for (const path of ['zip/empty', 'other/a.md'])
      expect((await put(path, path === 'zip/empty' ? '' : 'b')).status).toBe(201);
    expect((await put('zip/sub/deep/large.bin', large)).status).toBe(201);
  });

  it('contain a folder with all its files, under names for every system', async () => {
    const { ada, folder } = tenant;
    const files = await unzip(url, await linkTo(url, ada, `${folder}/zip/`));
    expect(Object.keys(files).toSorted()).toEqual(
      ['zip/10_30.md', 'zip/A.md', 'zip/Größe/🎉.md', 'zip/a (2).md', 'zip/empty', 'zip/sub/deep/large.bin'].toSorted(),
    );
    expect(files['zip/sub/deep/large.bin']?.equals(large)).toBe(true);
    expect(['zip/A.md', 'zip/a (2).md', 'zip/Größe/🎉.md', 'zip/empty'].map((name) => String(files[name]))).toEqual([
      'A',
      'a',
      'party',
      '',
    ]);
  });

  it('contain a selection of files and folders', async () => {
    const { ada, folder } = tenant;
    const link = await linkTo(url, ada, `${folder}/zip/a.md`, `${folder}/other/a.md`, `${folder}/zip/Größe/`);
    const files = await unzip(url, link);
    expect(Object.entries(files).map(([name, bytes]) => [name, bytes.toString()])).toEqual([
      ['a.md', 'a'],
      ['a (2).md', 'b'],
      ['Größe/🎉.md', 'party'],
    ]);
  });

  it('are named after their folder', async () => {
    const { ada, folder } = tenant;
    for (const [path, name] of [
      [`${folder}/zip/Größe/`, `attachment; filename="Gr__e.zip"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.zip`],
      [`${folder}/zip/a.md`, `attachment; filename="files.zip"; filename*=UTF-8''files.zip`],
    ] as const) {
      const answer = await callAt(url, await linkTo(url, ada, path), { method: 'HEAD' });
      expect([answer.status, answer.headers.get('content-disposition')]).toEqual([200, name]);
    }
  });

  it('never contain files of another workspace', async () => {
    const { ada, ben, folder } = tenant;
    for (const path of [`${folder}/zip/`, `${folder}/zip/a.md`]) {
      expect((await requestArchive(url, ben, [path])).status).toBe(404);
    }
    const path = `/api/files/${folder}/zip/a.md`;
    await callAt(url, path, { token: ben, method: 'PUT', body: 'of ben' });
    const read = async (token: string) =>
      Object.values(await unzip(url, await linkTo(url, token, `${folder}/zip/a.md`)));
    expect([await read(ada), await read(ben)].flat().map(String)).toEqual(['a', 'of ben']);
    await callAt(url, path, { token: ben, method: 'DELETE' });
  });

  it('are not found with a forged ticket', async () => {
    const { ada, folder } = tenant;
    const link = await linkTo(url, ada, `${folder}/zip/`);
    const forged = link.replace(/.(?=.{40}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    for (const wrong of [forged, `${link}A`, '/v1/archives/forged']) {
      const answer = await callAt(url, wrong);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        expect.objectContaining({ code: 'files.archive-link-expired' }),
      ]);
    }
    expect((await callAt(url, link, { method: 'POST' })).status).toBe(405);
  });
});

describe('archives while storage fails', () => {
  let proxy: FaultProxy;
  let api: ApiProcess;
  let tenant: TestTenant;

  beforeAll(async () => {
    proxy = await FaultProxy.start(settings['S3_ENDPOINT'] as string);
    api = await spawnApi({ S3_ENDPOINT: proxy.endpoint });
    tenant = await createTestTenant(api.url);
  });
  afterAll(async () => {
    await api.stop();
    await proxy.stop();
  });

  it.each(['reset-mid-body', 'end-mid-body'] as const)('end without their last part (%s)', async (fault) => {
    const { ada, folder, put } = tenant;
    await put(`${fault}/1.md`, 'intact');
    await put(`${fault}/${faultyFileName(fault, 'any', 'broken')}`, randomBytes(4 * MIB));
    const link = await linkTo(api.url, ada, `${folder}/${fault}/`);
    proxy.enableFaults();
    const answer = await callAt(api.url, link);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    proxy.disableFaults();
    const files = await unzip(api.url, await linkTo(api.url, ada, `${folder}/${fault}/`));
    expect(Object.keys(files)).toHaveLength(2);
    expect([api.isAlive(), api.unexpectedErrors()]).toEqual([true, []]);
  });
});
