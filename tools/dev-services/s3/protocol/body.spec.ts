import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { bodyClaims, receiveBody } from './body.ts';
import type { ReceivedBody } from './body.ts';
import type { RequestHeaders } from './headers.ts';

const UNSIGNED = 'UNSIGNED-PAYLOAD';
const STREAMING = 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
const HELLO_CRC32 = 'NhCmhg==';

async function* arriving(...pieces: readonly string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece);
}

async function receive(
  headers: RequestHeaders,
  hash: string,
  ...pieces: readonly string[]
): Promise<ReceivedBody & { payload: string }> {
  const payload: Buffer[] = [];
  const received = await receiveBody(
    arriving(...pieces),
    bodyClaims(headers, hash),
    (piece) => void payload.push(piece),
  );
  return { ...received, payload: Buffer.concat(payload).toString() };
}

const digest = (algorithm: string, encoding: 'hex' | 'base64'): string =>
  createHash(algorithm).update('hello').digest(encoding);

describe('receiveBody', () => {
  it('accepts a body that matches all claims', async () => {
    const headers = {
      'content-length': '5',
      'content-md5': digest('md5', 'base64'),
      'x-amz-checksum-crc32': HELLO_CRC32,
    };
    expect(await receive(headers, digest('sha256', 'hex'), 'he', 'llo')).toEqual({
      size: 5,
      md5: digest('md5', 'hex'),
      checksum: { algorithm: 'crc32', value: HELLO_CRC32, type: 'FULL_OBJECT' },
      payload: 'hello',
    });
  });

  it('accepts a chunked body with a trailing checksum', async () => {
    const headers = { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' };
    const body = `5\r\nhello\r\n0\r\nx-amz-checksum-crc32:${HELLO_CRC32}\r\n\r\n`;
    expect(await receive(headers, STREAMING, body)).toMatchObject({
      payload: 'hello',
      checksum: { value: HELLO_CRC32 },
    });
  });

  it.each<[string, RequestHeaders, [hash: string, body: string], string]>([
    ['too short', { 'content-length': '6' }, [UNSIGNED, 'hello'], 'IncompleteBody'],
    ['too long', { 'content-length': '4' }, [UNSIGNED, 'hello'], 'InvalidRequest'],
    [
      'another MD5',
      { 'content-length': '5', 'content-md5': digest('md5', 'base64') },
      [UNSIGNED, 'hallo'],
      'BadDigest',
    ],
    [
      'another checksum',
      { 'content-length': '5', 'x-amz-checksum-crc32': HELLO_CRC32 },
      [UNSIGNED, 'hallo'],
      'BadDigest',
    ],
    ['another SHA-256', { 'content-length': '5' }, [digest('sha256', 'hex'), 'hallo'], 'XAmzContentSHA256Mismatch'],
    ['cut in its framing', { 'x-amz-decoded-content-length': '5' }, [STREAMING, '5\r\nhello\r\n'], 'IncompleteBody'],
    [
      'a missing trailer',
      { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' },
      [STREAMING, '5\r\nhello\r\n0\r\n\r\n'],
      'InvalidRequest',
    ],
    [
      'a wrong trailer',
      { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x-amz-checksum-crc32' },
      [STREAMING, '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:AAAAAA==\r\n\r\n'],
      'BadDigest',
    ],
  ])('refuses a body: %s', async (_, headers, [hash, body], code) => {
    await expect(receive(headers, hash, body)).rejects.toMatchObject({ code });
  });

  it.each<[string, RequestHeaders, string, string]>([
    ['no length', {}, UNSIGNED, 'MissingContentLength'],
    ['no decoded length', { 'content-length': '50' }, STREAMING, 'MissingContentLength'],
    ['a length beyond 5 GiB', { 'content-length': String(5 * 1024 ** 3 + 1) }, UNSIGNED, 'EntityTooLarge'],
    ['a broken MD5', { 'content-length': '5', 'content-md5': 'x' }, UNSIGNED, 'InvalidDigest'],
    ['an unknown payload hash', { 'content-length': '5' }, 'something', 'InvalidArgument'],
    ['an unknown trailer', { 'x-amz-decoded-content-length': '5', 'x-amz-trailer': 'x' }, STREAMING, 'InvalidRequest'],
  ])('refuses headers: %s', (_, headers, hash, code) => {
    expect(() => bodyClaims(headers, hash)).toThrow(expect.objectContaining({ code }));
  });
});
