import { describe, expect, it } from '@jest/globals';
import type { RequestHeaders } from './headers.ts';
import { SignatureVerifier } from './signature.ts';
import { parseTarget } from './target.ts';

// Examples from "Authenticating Requests (AWS Signature Version 4)" in the Amazon S3 API reference.
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};
const HOST = 'examplebucket.s3.amazonaws.com';
const SIGNED_AT = Date.UTC(2013, 4, 24);
const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const SCOPE = 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request';
const MINUTE = 60_000;

const signedHeaders: RequestHeaders = {
  host: HOST,
  range: 'bytes=0-9',
  'x-amz-content-sha256': EMPTY_SHA256,
  'x-amz-date': '20130524T000000Z',
  authorization:
    `AWS4-HMAC-SHA256 Credential=${SCOPE},SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,` +
    'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
};
const presignedUrl =
  '/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2F' +
  'aws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
  '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404';

function verify(url: string, headers: RequestHeaders, now = SIGNED_AT): { presigned: boolean; payloadHash: string } {
  const { presigned, payloadHash } = new SignatureVerifier(CREDENTIALS, () => now).verify({
    method: 'GET',
    target: parseTarget(url),
    headers,
  });
  return { presigned, payloadHash };
}

describe('SignatureVerifier', () => {
  it('accepts the published example with headers', () => {
    expect(verify('/test.txt', signedHeaders)).toEqual({ presigned: false, payloadHash: EMPTY_SHA256 });
  });

  it('accepts the published presigned example', () => {
    expect(verify(presignedUrl, { host: HOST })).toEqual({ presigned: true, payloadHash: 'UNSIGNED-PAYLOAD' });
  });

  it.each<[string, [url: string, headers: RequestHeaders, now?: number], string]>([
    ['nothing signed', ['/test.txt', { host: HOST }], 'AccessDenied'],
    ['another scheme', ['/test.txt', { authorization: 'Basic Zm9v' }], 'AuthorizationHeaderMalformed'],
    ['another path', ['/other.txt', signedHeaders], 'SignatureDoesNotMatch'],
    ['an added query', ['/test.txt?acl', signedHeaders], 'SignatureDoesNotMatch'],
    ['a changed header', ['/test.txt', { ...signedHeaders, range: 'bytes=0-99' }], 'SignatureDoesNotMatch'],
    ['an unsigned x-amz header', ['/test.txt', { ...signedHeaders, 'x-amz-acl': 'x' }], 'AccessDenied'],
    ['a clock behind', ['/test.txt', signedHeaders, SIGNED_AT + 16 * MINUTE], 'RequestTimeTooSkewed'],
    ['a clock ahead', ['/test.txt', signedHeaders, SIGNED_AT - 16 * MINUTE], 'RequestTimeTooSkewed'],
    ['no date', ['/test.txt', { ...signedHeaders, 'x-amz-date': '' }], 'AccessDenied'],
    ['an expired link', [presignedUrl, { host: HOST }, SIGNED_AT + 86_401_000], 'AccessDenied'],
    ['a link from the future', [presignedUrl, { host: HOST }, SIGNED_AT - 16 * MINUTE], 'AccessDenied'],
    ['a link with a changed expiry', [presignedUrl.replace('86400', '86401'), { host: HOST }], 'SignatureDoesNotMatch'],
    [
      'a link without a limited expiry',
      [presignedUrl.replace('86400', '9999999'), { host: HOST }, SIGNED_AT],
      'AuthorizationQueryParametersError',
    ],
    [
      'a link with an unsigned copy',
      [presignedUrl, { host: HOST, 'x-amz-copy-source': 'a/b' }, SIGNED_AT],
      'AccessDenied',
    ],
    ['another key', [presignedUrl.replace('AKIAI', 'AKIAX'), { host: HOST }], 'InvalidAccessKeyId'],
    [
      'another service',
      [presignedUrl.replace('%2Fs3%2F', '%2Fec2%2F'), { host: HOST }, SIGNED_AT],
      'AuthorizationQueryParametersError',
    ],
  ])('refuses %s', (_, request, code) => {
    expect(() => verify(...request)).toThrow(expect.objectContaining({ code }));
  });
});
