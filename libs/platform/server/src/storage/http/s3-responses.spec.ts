import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { S3ResponseError } from '../s3-errors';
import { isNoSuchKey, responseErrorOf, textOf } from './s3-responses';

const responseWith = (statusCode: number, body: string) => ({ statusCode, headers: {}, body: Buffer.from(body) });
const ABSENT = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Key>a</Key></Error>';

describe('the error responses of S3', () => {
  it('have the code of the error document', () => {
    expect(responseErrorOf(responseWith(403, '<Error><Code>AccessDenied</Code></Error>'))).toMatchObject({
      httpStatus: 403,
      code: 'AccessDenied',
    });
    expect(responseErrorOf(responseWith(502, '<html>'))).toEqual(new S3ResponseError(502, undefined));
  });

  it('report an absent object only as NoSuchKey', () => {
    expect(isNoSuchKey(responseWith(404, ABSENT))).toBe(true);
    expect(isNoSuchKey(responseWith(404, ABSENT.replace('NoSuchKey', 'NoSuchBucket')))).toBe(false);
    expect(isNoSuchKey(responseWith(404, ''))).toBe(false);
    expect(isNoSuchKey(responseWith(200, ABSENT))).toBe(false);
  });

  it('have no text while they are streamed', () => {
    expect(textOf({ statusCode: 200, headers: {}, body: Readable.from([Buffer.from(ABSENT)]) })).toBe('');
  });
});
