import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { NO_RULES } from '@homeport/hosting/contracts';
import { forwardedHeaders, visibleHeaders } from './server-headers';

const site = {
  kind: 'app',
  appId: 'app',
  name: 'Shop',
  deploy: { id: 'deploy', rules: NO_RULES },
  server: { version: 3 },
  lastRelease: undefined,
} as const;
const preview = { ...site, kind: 'preview' } as const;
const toObject = (fields: readonly string[]) =>
  Object.fromEntries(fields.flatMap((name, index) => (index % 2 === 0 ? [[name, fields[index + 1]]] : [])));

describe('forwardedHeaders', () => {
  const connection = { address: '192.0.2.7', isEncrypted: false };
  const forwarded = (rawHeaders: string[], options = {}) =>
    toObject(forwardedHeaders({ rawHeaders }, { site, host: 'a', requestId: 'id', connection, ...options }));

  it('replaces what visitors say about themselves and about the runtime', () => {
    const spoofed = ['X-Forwarded-For', '1.1.1.1', 'x-forwarded-proto', 'https', 'X-Forwarded-Port', '1'];
    const further = ['Forwarded', 'for=1.1.1.1', 'X-Real-IP', '1.1.1.1', 'X-Request-Id', 'spoofed'];
    const revision = ['X-Homeport-Deploy', 'other', 'x-homeport-version', '9', 'X-Homeport-Scope', 'production'];
    const sent = ['Host', 'other', 'Cookie', 'a=1', ...spoofed, ...further, ...revision];
    expect(forwarded(sent, { host: 'shop.test:8080' })).toEqual({
      Host: 'shop.test:8080',
      Cookie: 'a=1',
      'X-Forwarded-For': '192.0.2.7',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'shop.test:8080',
      'X-Request-Id': 'id',
      'x-homeport-deploy': 'deploy',
      'x-homeport-version': '3',
      'x-homeport-scope': 'production',
    });
  });

  it('gives previews the variables of previews', () => {
    expect(forwarded([], { site: preview })).toMatchObject({ 'x-homeport-scope': 'preview' });
  });

  it('tells the server that the connection of the visitor is encrypted', () => {
    const encrypted = { address: '2001:db8::7', isEncrypted: true };
    expect(forwarded(['X-Forwarded-Proto', 'http'], { connection: encrypted })).toMatchObject({
      'X-Forwarded-For': '2001:db8::7',
      'X-Forwarded-Proto': 'https',
    });
  });
});

describe('visibleHeaders', () => {
  const visible = (rawHeaders: readonly string[], options = {}) => {
    const headers = Object.fromEntries(
      Object.entries(toObject(rawHeaders)).map(([name, value]) => [name.toLowerCase(), value]),
    ) as IncomingMessage['headers'];
    const upstream = { rawHeaders: [...rawHeaders], headers };
    return visibleHeaders(upstream, { site, requestId: 'id', rules: [], isPersonal: false, ...options });
  };

  it('confines cookies to the host of the site', () => {
    const cookies = [
      'Set-Cookie',
      'a=Domain=x; Path=/; domain = apps.test; Secure',
      'set-cookie',
      'b=2;DOMAIN=.apps.test',
    ];
    expect(visible(cookies).slice(0, 4)).toEqual(['Set-Cookie', 'a=Domain=x; Path=/; Secure', 'set-cookie', 'b=2']);
  });

  it('applies the rules of the site in place of the fields of its server', () => {
    const rules = [['x-frame', 'own'] as const, ['cache-control', 'public, max-age=9'] as const];
    expect(toObject(visible(['X-Frame', 'server', 'Cache-Control', 'no-store'], { rules }))).toEqual({
      'x-frame': 'own',
      'cache-control': 'public, max-age=9',
      'x-content-type-options': 'nosniff',
      'X-Request-Id': 'id',
    });
  });

  it('keeps responses without Cache-Control out of shared caches', () => {
    expect(toObject(visible([]))).toMatchObject({ 'cache-control': 'private, no-cache' });
    expect(toObject(visible(['Cache-Control', 'public'], { isPersonal: true }))).toMatchObject({
      'cache-control': 'no-store',
    });
  });

  it('removes fields that outlive the owner of a name, and those of the runtime', () => {
    const rejected = ['Alt-Svc', 'h3', 'NEL', '{}', 'X-Homeport-Runtime', 'timeout', 'X-Request-Id', 'a'];
    expect(visible(rejected).filter((_, index) => index % 2 === 0)).toEqual([
      'cache-control',
      'x-content-type-options',
      'X-Request-Id',
    ]);
  });

  it('keeps previews out of search engines', () => {
    expect(toObject(visible(['X-Robots-Tag', 'all'], { site: preview }))).toMatchObject({
      'x-robots-tag': 'noindex',
      'X-Deploy-Id': 'deploy',
    });
  });
});
