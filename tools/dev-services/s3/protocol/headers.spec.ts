import { describe, expect, it } from '@jest/globals';
import { headersToStore, responseOverrides, withHoistedHeaders } from './headers.ts';
import { Query } from './target.ts';

describe('headersToStore', () => {
  it('stores the headers that describe the object, without the transfer coding', () => {
    const stored = headersToStore({
      host: 'x',
      'content-type': 'text/plain',
      'content-encoding': 'aws-chunked, gzip',
      'x-amz-meta-colour': 'red',
      'x-amz-date': 'x',
    });
    expect(stored).toEqual({ 'content-type': 'text/plain', 'content-encoding': 'gzip', 'x-amz-meta-colour': 'red' });
  });

  it('limits metadata', () => {
    expect(() => headersToStore({ 'x-amz-meta-a': 'x'.repeat(2048) })).toThrow(
      expect.objectContaining({ code: 'MetadataTooLarge' }),
    );
  });
});

describe('withHoistedHeaders', () => {
  it('treats parameters of a presigned URL as headers, except checksums', () => {
    const query = new Query('X-Amz-Meta-A=1&X-Amz-Date=x&x-amz-checksum-crc32=AAAAAA%3D%3D&prefix=p');
    expect(withHoistedHeaders({ host: 'h' }, query)).toEqual({ host: 'h', 'x-amz-meta-a': '1' });
  });

  it.each(['x-amz-meta-a=%E2%82%AC', 'x-amz-meta-a=%0D%0Aset-cookie:x', 'x-amz-meta-a%20b=1'])('refuse %s', (query) => {
    expect(() => withHoistedHeaders({}, new Query(query))).toThrow(
      expect.objectContaining({ code: 'InvalidArgument' }),
    );
  });
});

describe('responseOverrides', () => {
  it('accept valid header values', () => {
    const query = new Query('response-content-type=text%2Fplain&response-server=x');
    expect(responseOverrides(query)).toEqual({ 'content-type': 'text/plain' });
    const injected = new Query('response-content-type=a%0D%0Aset-cookie:x');
    expect(() => responseOverrides(injected)).toThrow(expect.objectContaining({ code: 'InvalidArgument' }));
  });
});
