import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { embeddedServices } from '@homeport/platform/server/testing';
import { DenyingStorage } from './testing/denying-storage';
import { doctorLine } from './testing/doctor-lines';

const NOT_EXECUTED =
  'confirms calls, and does not execute them: a probe object was not returned, or not removed. Correct S3_ENDPOINT: it ' +
  'must be the address of the S3 API, and not of a website or a console.';

describe('the doctor of services that lie', () => {
  const closers: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  const serve = async (listener: RequestListener): Promise<string> => {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const line = (name: string, changes: Record<string, string>) =>
    doctorLine(name, { ...embeddedServices(), ...changes });

  it('names storage that answers every call with a page', async () => {
    const host = await serve((request, response) => {
      request.resume();
      response.setHeader('content-type', 'text/html').end('<html></html>');
    });
    expect(await line('storage-access', { S3_ENDPOINT: `http://${host}` })).toBe(
      `fault    storage-access  The storage at ${host} ${NOT_EXECUTED}`,
    );
  });

  it('names storage that confirms deletions and does not execute them', async () => {
    const { S3_ENDPOINT = '', S3_BUCKET = '' } = embeddedServices();
    const storage = await DenyingStorage.open(S3_ENDPOINT, S3_BUCKET);
    closers.push(() => storage.close());
    storage.confirms = ({ method }) => method === 'DELETE';
    expect(await line('storage-access', { S3_ENDPOINT: `http://${storage.host}` })).toBe(
      `fault    storage-access  The storage at ${storage.host} ${NOT_EXECUTED}`,
    );
  });

  it('names the setting of a bucket with an invalid name', async () => {
    expect(await line('storage', { S3_BUCKET: 'Wrong_Name' })).toMatch(/\(InvalidBucketName\)\. Correct S3_BUCKET: /);
  });

  /** @param keys the answer at the address of the keys. */
  const issuerWith = async (keys: string): Promise<string> => {
    const host = await serve((request, response) => {
      const issuer = `http://${request.headers.host}`;
      const document = JSON.stringify({ issuer, jwks_uri: `${issuer}/keys` });
      response.setHeader('content-type', 'application/json').end(request.url === '/keys' ? keys : document);
    });
    return `http://${host}`;
  };

  it('names the address of keys that are no JSON', async () => {
    const AUTH_ISSUER = await issuerWith('garbage');
    expect(await line('identity-keys', { AUTH_ISSUER })).toBe(
      `fault    identity-keys  The identity service publishes no keys at ${AUTH_ISSUER}/keys, the jwks_uri of its ` +
        'discovery document (SyntaxError). Correct that address in the identity service, or set AUTH_JWKS_URI to the ' +
        'address of the keys.',
    );
  });

  it.each([
    ['no number', { kty: 'RSA', alg: 'RS256' }],
    ['24 bits', { kty: 'RSA', alg: 'RS256', n: 'AQAB', e: 'AQAB' }],
    ['a shared secret', { kty: 'oct', alg: 'RS256', k: 'AAAA' }],
  ])('does not count a key of %s', async (_what, key) => {
    const AUTH_ISSUER = await issuerWith(JSON.stringify({ keys: [key] }));
    expect(await line('identity-keys', { AUTH_ISSUER })).toBe(
      'fault    identity-keys  The issuer publishes no key that signs tokens. Let it sign access tokens with RS256 or ES256.',
    );
  });
});
