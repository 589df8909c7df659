import { beforeAll, describe, expect, it } from '@jest/globals';
import { products } from '../homeport';
import { newScene, type Scene } from './scene';

describe.each(products)('request targets, on $storage', ({ url }) => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await newScene(url);
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
  ])('refuses the raw target %s', async (target) => {
    const { rawRequest } = scene;
    expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"files\.invalid-path"/);
  });

  it.each(['/api/%66iles/abc', '/api/file%73/abc', '/%61pi/files/abc'])(
    'takes %s, another spelling of the route, for no file',
    async (target) => {
      const { rawRequest } = scene;
      expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 404 /);
    },
  );

  it('reads an absolute target like any other', async () => {
    const { at, put, rawRequest } = scene;
    await put('absolute.txt', 'x');
    expect(await rawRequest(`http://localhost${at('absolute.txt')}`)).toMatch(/^HTTP\/1\.1 200 [\s\S]*x$/);
  });
});
