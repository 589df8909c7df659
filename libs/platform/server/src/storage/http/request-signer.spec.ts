import { describe, expect, it } from '@jest/globals';
import aws4 from 'aws4';
import { RequestSigner } from './request-signer';
import { encodedForQuery } from './s3-http-client';

const TIME = new Date('2026-11-21T23:59:59.999Z');
const CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const KEYS = ['a', 'a b', 'a+b', 'ü/🎉', '%25', 'q?x=1', 'h#h', `quote'"<>&`, "!'()*~-_.", 'a/b/c', '=&;:@$,'];

function theirs(method: string, path: string, query: string, credentials: object): string | undefined {
  const signed = aws4.sign(
    {
      service: 's3',
      region: 'eu-west-1',
      method,
      host: 'files.example:9000',
      path: query === '' ? path : `${path}?${query}`,
      headers: { 'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD', 'X-Amz-Date': '20261121T235959Z' },
    },
    credentials as typeof CREDENTIALS,
  );
  return signed.headers?.['Authorization'] as string;
}

/** The signature of a plain GET, for tests that do not depend on the request. */
function oursAt(signer: RequestSigner, credentials = CREDENTIALS): string {
  const request = { method: 'GET', host: 'files.example:9000', path: '/bucket/a', query: '' };
  return signer.headersFor(request, credentials)['authorization'] as string;
}

function ours(method: string, path: string, query: string): string {
  const request = { method, host: 'files.example:9000', path, query };
  return newSigner().headersFor(request, CREDENTIALS)['authorization'] as string;
}

const newSigner = () => new RequestSigner('eu-west-1', () => TIME.getTime());
const signatureOf = (authorization = '') => /Signature=([0-9a-f]{64})$/.exec(authorization)?.[1];

describe('RequestSigner', () => {
  it.each(KEYS)('signs the key %s as aws4 does', (key) => {
    const path = `/bucket/${key.split('/').map(encodedForQuery).join('/')}`;
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      expect(signatureOf(ours(method, path, ''))).toBe(signatureOf(theirs(method, path, '', CREDENTIALS)));
    }
  });

  it.each(KEYS)('signs a listing of %s as aws4 does', (prefix) => {
    const query = `delimiter=%2F&list-type=2&max-keys=1000&prefix=${encodedForQuery(prefix)}`;
    expect(signatureOf(ours('GET', '/bucket/', query))).toBe(
      signatureOf(theirs('GET', '/bucket/', query, CREDENTIALS)),
    );
  });

  it('signs with temporary credentials, and uses new credentials immediately', () => {
    const signer = newSigner();
    const temporary = { accessKeyId: 'ASIA', secretAccessKey: 'other', sessionToken: 'token' };
    oursAt(signer);
    const authorization = oursAt(signer, temporary);
    expect(signatureOf(authorization)).toBe(signatureOf(theirs('GET', '/bucket/a', '', temporary)));
    expect(authorization).toContain('x-amz-security-token');
    expect(oursAt(signer)).toBe(oursAt(newSigner()));
  });

  it('derives a new signing key each day', () => {
    let time = TIME;
    const signer = new RequestSigner('eu-west-1', () => time.getTime());
    oursAt(signer);
    time = new Date(TIME.getTime() + 1);
    const tomorrow = oursAt(signer);
    expect(tomorrow).toContain('/20261122/');
    expect(tomorrow).toBe(oursAt(new RequestSigner('eu-west-1', () => time.getTime())));
  });
});
