import { describe, expect, it } from '@jest/globals';
import { readXml } from '../protocol/xml-reader.ts';
import type { Part } from '../storage/multipart-upload.ts';
import { selectPartsToJoin, parseCompletedParts } from './completed-parts.ts';

const MIB = 1024 * 1024;

function part(number: number, size: number): Part {
  const checksum = { algorithm: 'crc32', value: `sum${number}`, type: 'FULL_OBJECT' } as const;
  return { number, size, etag: `etag${number}`, modified: 0, file: 'f', checksum };
}

const PARTS = new Map([part(1, 5 * MIB), part(2, 6 * MIB), part(3, 1)].map((each) => [each.number, each]));

function choose(...parts: readonly (readonly [number: number, etag?: string, extra?: string])[]): number[] {
  const xml = parts.map(([number, etag = `&quot;etag${number}&quot;`, extra = '']) => {
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag>${extra}</Part>`;
  });
  const choices = parseCompletedParts(readXml(`<CompleteMultipartUpload>${xml.join('')}</CompleteMultipartUpload>`));
  return selectPartsToJoin(choices, (number) => PARTS.get(number)).map(({ number }) => number);
}

describe('selectPartsToJoin', () => {
  it('selects only the named parts', () => {
    expect(choose([1], [2], [3])).toEqual([1, 2, 3]);
    expect(choose([1], [3, 'etag3'])).toEqual([1, 3]);
    expect(choose([1, undefined, '<ChecksumCRC32>sum1</ChecksumCRC32>'])).toEqual([1]);
  });

  it.each<[string, () => number[], string]>([
    ['parts out of order', () => choose([2], [1]), 'InvalidPartOrder'],
    ['a part twice', () => choose([1], [1]), 'InvalidPartOrder'],
    ['a missing part', () => choose([4]), 'InvalidPart'],
    ['another ETag', () => choose([1, 'etag2']), 'InvalidPart'],
    ['another checksum', () => choose([1, undefined, '<ChecksumCRC32>sum2</ChecksumCRC32>']), 'InvalidPart'],
    ['a small part before the last', () => choose([3], [4]), 'EntityTooSmall'],
    ['no parts', () => choose(), 'MalformedXML'],
    [
      'a part without a number',
      () => parseCompletedParts(readXml('<CompleteMultipartUpload><Part/></CompleteMultipartUpload>')).map(() => 0),
      'MalformedXML',
    ],
  ])('refuses %s', (_, act, code) => {
    expect(act).toThrow(expect.objectContaining({ code }));
  });
});
