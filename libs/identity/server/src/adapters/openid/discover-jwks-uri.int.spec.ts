import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestIssuer } from '../../testing/test-issuer';
import { discoverJwksUri } from './discover-jwks-uri';

let issuer: TestIssuer;

beforeAll(async () => {
  issuer = await TestIssuer.start();
});

afterAll(() => issuer.stop());

/** Serves this document at the path, and 404 elsewhere. */
function serve(document: unknown, path = '/.well-known/openid-configuration'): void {
  issuer.answer = (request, response) => {
    response.writeHead(request.url === path ? 200 : 404).end(JSON.stringify(document));
  };
}

describe('discoverJwksUri', () => {
  it.each(['https://keys.example/jwks', 'http://127.0.0.1:4400/jwks', 'http://localhost/jwks', 'http://[::1]/jwks'])(
    'finds %s',
    async (jwks_uri) => {
      serve({ issuer: issuer.url, jwks_uri });
      expect(await discoverJwksUri(issuer.url)).toBe(jwks_uri);
    },
  );

  it('finds the document of an issuer with a path, with or without a trailing slash', async () => {
    for (const name of [`${issuer.url}/realms/one`, `${issuer.url}/realms/one/`]) {
      serve({ issuer: name, jwks_uri: 'https://keys.example/' }, '/realms/one/.well-known/openid-configuration');
      expect(await discoverJwksUri(name)).toBe('https://keys.example/');
    }
  });

  it.each([undefined, null, '', 'https://evil.example', 7])('refuses the document of the issuer %j', async (other) => {
    serve({ issuer: other, jwks_uri: 'https://keys.example/' });
    await expect(discoverJwksUri(issuer.url)).rejects.toThrow('another issuer');
  });

  it('requires the exact issuer', async () => {
    serve({ issuer: `${issuer.url}/`, jwks_uri: 'https://keys.example/' });
    await expect(discoverJwksUri(issuer.url)).rejects.toThrow('another issuer');
  });

  it.each([undefined, null, 7, '', 'jwks', '//keys.example', 'http://keys.example/', 'http://127.0.0.1.evil.example/'])(
    'refuses the key set address %j',
    async (jwks_uri) => {
      serve({ issuer: issuer.url, jwks_uri });
      await expect(discoverJwksUri(issuer.url)).rejects.toThrow('no safe key set');
    },
  );

  it.each(['ftp://127.0.0.1/', 'file:///keys', 'data:application/json,{}'])('refuses %s', async (jwks_uri) => {
    serve({ issuer: issuer.url, jwks_uri });
    await expect(discoverJwksUri(issuer.url)).rejects.toThrow('no safe key set');
  });

  it('fails when the document is missing', async () => {
    serve(null);
    await expect(discoverJwksUri(issuer.url)).rejects.toThrow('another issuer');
    serve({}, '/elsewhere');
    await expect(discoverJwksUri(issuer.url)).rejects.toThrow('answered 404');
  });
});
