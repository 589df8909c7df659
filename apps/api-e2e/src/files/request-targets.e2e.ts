import { beforeAll, describe, expect, it } from '@jest/globals';
import { products } from '../homeport';
import { createTestTenant, type TestTenant } from './test-tenant';

describe.each(products)('request targets, on $storage', ({ storage, url }) => {
  let tenant: TestTenant;

  beforeAll(async () => {
    tenant = await createTestTenant(url);
  });

  it.each([
    '/api/files/../x',
    '/api/files/a/../../x',
    '/api/files/%2e%2e/x',
    '/api/files/..%2f..%2fx',
    '/api/files//x',
    '/api/files/a//b',
    '/api/files/a%00',
    '/api/files/a\\b',
    '/api/files/%ff',
    '/api/files/a%2fb',
    `/api/files/${'x'.repeat(256)}`,
  ])('rejects the raw target %s', async (target) => {
    const { rawRequest } = tenant;
    expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"files\.invalid-path"/);
  });

  it.each(['/api/%66iles/abc', '/api/file%73/abc', '/%61pi/files/abc'])(
    'answers 404 for %s, an encoded spelling of the route',
    async (target) => {
      const { rawRequest } = tenant;
      expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it('accepts an absolute target', async () => {
    const { at, put, rawRequest } = tenant;
    await put('absolute.txt', 'x');
    expect(await rawRequest(`http://localhost${at('absolute.txt')}`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*x$/);
  });

  it('accepts paths up to the limit of storage, and rejects longer ones', async () => {
    const { at, put, call, ada } = tenant;
    const start = at('').slice('/api/files/'.length);
    const longest = (bytes: number) => `${'d/'.repeat(450)}${'x'.repeat(bytes - 900 - start.length)}`;
    // S3 keys have at most 1,024 bytes, and 46 of them are the prefix of the workspace.
    expect((await put(longest(978), 'x')).status).toBe(201);
    const written = await put(longest(1_024), 'whole');
    const read = await call(at(longest(1_024)), { token: ada });
    if (storage === 'Ceph') {
      expect(await written.json()).toMatchObject({ status: 400, code: 'files.invalid-path' });
      expect(read.status).toBe(400);
    } else {
      expect([written.status, await read.text()]).toEqual([201, 'whole']);
    }
    expect((await put(longest(1_025), 'x')).status).toBe(400);
  });
});
