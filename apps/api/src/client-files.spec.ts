import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyRequest } from 'fastify';
import { type ClientPages, headersFor, serveClient } from './client-files';

let pages: ClientPages;

beforeAll(async () => {
  pages = await serveClient(fastify(), join(process.cwd(), 'apps/client/src'));
});

function isServedAt(originalUrl: string): boolean {
  return pages.matches({ method: 'GET', originalUrl, headers: { accept: 'text/html' } } as FastifyRequest);
}

describe('client pages', () => {
  it.each([
    '/api/nothing',
    '/api?x',
    '/%61pi/nothing',
    '/api%2Fnothing',
    '/%61%70%69',
    'http://localhost:3200/api/nothing',
    'HTTP://localhost/auth/nothing?x=1',
    'https://homeport.example/%68ealth',
    '/docs/%zz',
    '/metrics',
    '/metrics?name=x',
    '/v1',
  ])('are not served at %s', (target) => {
    expect(isServedAt(target)).toBe(false);
  });

  it.each(['/', '/apis', '/view/api/x', '/%zz', '/%', 'http://localhost:3200/files', '/%e4%b8%ad', '/?to=/api/x'])(
    'are served at %s',
    (target) => {
      expect(isServedAt(target)).toBe(true);
    },
  );
});

describe('the Content-Security-Policy of client files', () => {
  const policyOf = (path: string) =>
    headersFor('dist/client', join(process.cwd(), 'dist/client', path))['content-security-policy'];
  const directivesOf = (path: string) => policyOf(path)?.split('; ');

  it.each(['sandbox/diagram.html', 'sandbox/diagram.js', 'sandbox/deep/font.css'])('sandboxes %s', (path) => {
    expect(policyOf(path)).toContain('sandbox allow-scripts;');
    expect(policyOf(path)).toContain("default-src 'none'");
    expect(policyOf(path)).not.toContain('connect-src');
  });

  it.each(['index.html', 'sandbox-notes.js', 'assets/sandbox/x.js'])('does not sandbox %s', (path) => {
    expect(policyOf(path)).toContain("frame-ancestors 'none'");
    expect(policyOf(path)).toContain("require-trusted-types-for 'script'");
  });

  it.each(['index.html', 'main-ABCDEFGH.js'])('allows %s scripts of the same origin alone, and no plug-ins', (path) => {
    const allowed = ["default-src 'self'", "script-src 'self'", "object-src 'none'", "base-uri 'none'"];
    expect(directivesOf(path)).toEqual(expect.arrayContaining(allowed));
  });

  it('allows sandbox pages scripts of the same origin alone, and no plug-ins', () => {
    expect(directivesOf('sandbox/diagram.html')).toContain("script-src 'self'");
    // `default-src 'none'` applies to plug-ins.
    expect(policyOf('sandbox/diagram.html')).not.toContain('object-src');
  });

  it.each(['index.html', 'sandbox/diagram.html'])('names each directive of %s once', (path) => {
    // Browsers ignore all but the first one.
    const names = directivesOf(path)?.map((directive) => directive.split(' ')[0]);
    expect(names).toEqual([...new Set(names)]);
  });
});
