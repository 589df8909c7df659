import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { StorageFailed } from '../../domain/files.errors';
import { parseListObjectsResponse } from './list-objects-response';

const HEAD =
  '<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">' +
  '<Name>files</Name><Prefix>u/x/</Prefix><KeyCount>1</KeyCount><MaxKeys>1000</MaxKeys>';
const END = '</ListBucketResult>';

function escaped(text: string): string {
  return text.replace(/[&<>"'\r]/g, (char) => `&#${char.charCodeAt(0)};`);
}

function contents(key: string, more = ''): string {
  return (
    `<Contents><Key>${escaped(key)}</Key><LastModified>2026-01-02T03:04:05.678Z</LastModified>` +
    `<ETag>&quot;abc&quot;</ETag><Size>12</Size><Owner><ID>1</ID></Owner>${more}</Contents>`
  );
}

describe('parseListObjectsResponse', () => {
  it('parses objects and directories', () => {
    const directories = '<CommonPrefixes><Prefix>u/x/a&amp;b/</Prefix></CommonPrefixes>';
    expect(
      parseListObjectsResponse(`${HEAD}<IsTruncated>false</IsTruncated>${contents('u/x/a')}${directories}${END}\n`),
    ).toEqual({
      objects: [{ key: 'u/x/a', size: 12, etag: '"abc"', modifiedAt: new Date('2026-01-02T03:04:05.678Z') }],
      directories: ['u/x/a&b/'],
    });
  });

  it('parses an empty list', () => {
    expect(parseListObjectsResponse(`${HEAD}<IsTruncated>false</IsTruncated>${END}`)).toEqual({
      objects: [],
      directories: [],
    });
  });

  it('returns the continuation token of a truncated list', () => {
    const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&lt;b==</NextContinuationToken>';
    expect(parseListObjectsResponse(`${HEAD}${more}${contents('u/x/a')}${END}`).next).toBe('a<b==');
  });

  it('returns every key unchanged', () => {
    const text = fc.string({ unit: 'binary', minLength: 1 }).filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(fc.array(text), (keys) => {
        const xml = `${HEAD}<IsTruncated>false</IsTruncated>${keys.map((key) => contents(key)).join('')}${END}`;
        expect(parseListObjectsResponse(xml).objects.map(({ key }) => key)).toEqual(keys);
      }),
    );
  });

  it.each([
    '',
    '<html></html>',
    `${HEAD}<IsTruncated>false</IsTruncated>${contents('u/x/a')}`,
    `${HEAD}<IsTruncated>fal`,
    `${HEAD}${END}`,
    `${HEAD}<IsTruncated>true</IsTruncated>${END}`,
    `${HEAD}<IsTruncated>false</IsTruncated><Contents><Key>a</Key></Contents>${END}`,
    `${HEAD}<IsTruncated>false</IsTruncated>${contents('a').replace('12', 'many')}${END}`,
    `${HEAD}<IsTruncated>false</IsTruncated>${contents('a').replace('2026-01', 'soon')}${END}`,
    `<Error><Code>NoSuchBucket</Code></Error>`,
  ])('rejects incomplete or invalid lists (case %#)', (xml) => {
    expect(() => parseListObjectsResponse(xml)).toThrow(StorageFailed);
  });
});
