import { describe, expect, it } from '@jest/globals';
import { parseTarget, Query } from './target.ts';

describe('parseTarget', () => {
  it.each([
    ['/', undefined, undefined],
    ['/files', 'files', undefined],
    ['/files/', 'files', undefined],
    ['/files/a/b.txt?x=1', 'files', 'a/b.txt'],
    ['/files//a', 'files', '/a'],
    ['/files/../x', 'files', '../x'],
    ['/files/p/%252F', 'files', 'p/%2F'],
    ['/files/a+b%20c', 'files', 'a+b c'],
    ['/files/%F0%9F%98%80', 'files', '😀'],
  ])('%s', (url, bucket, key) => {
    expect(parseTarget(url)).toMatchObject({ bucket, key });
  });

  it.each([
    ['http://host/files', 'InvalidURI'],
    ['*', 'InvalidURI'],
    ['/files/%zz', 'InvalidURI'],
    ['/files/%ff', 'InvalidURI'],
    ['/Files', 'InvalidBucketName'],
    ['/a..b/x', 'InvalidBucketName'],
    ['/%2e%2e/x', 'InvalidBucketName'],
    [`/files/${'k'.repeat(1089)}`, 'KeyTooLongError'],
    [`/files/${'%C3%BC'.repeat(545)}`, 'KeyTooLongError'],
  ])('refuses %s', (url, code) => {
    expect(() => parseTarget(url)).toThrow(expect.objectContaining({ code }));
  });
});

describe('Query', () => {
  it('decodes names and values, plus signs as spaces', () => {
    const query = new Query('prefix=a+b%2B&uploads&x=1=2');
    expect(query.entries).toEqual([
      ['prefix', 'a b+'],
      ['uploads', ''],
      ['x', '1=2'],
    ]);
  });

  it.each(['-1', '1.5', '', 'x', '1001'])('refuses max-keys=%s', (value) => {
    const read = (): unknown => new Query(`max-keys=${value}`).integer('max-keys', { min: 0, max: 1000 });
    expect(read).toThrow(expect.objectContaining({ code: 'InvalidArgument' }));
  });
});
