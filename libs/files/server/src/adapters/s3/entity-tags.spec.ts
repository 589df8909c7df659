import { describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { multipartEtag, nonEmptyEtag } from './entity-tags';

describe('nonEmptyEtag', () => {
  it.each([undefined, '', '""'])('returns undefined for %j', (etag) => {
    expect(nonEmptyEtag(etag)).toBeUndefined();
  });

  it('returns the tag unchanged', () => {
    expect(nonEmptyEtag('"a-1"')).toBe('"a-1"');
  });
});

describe('multipartEtag', () => {
  const [first, second] = [hash('md5', 'one'), hash('md5', 'two')];
  const joined = hash('md5', Buffer.from(first + second, 'hex'));

  it('is the MD5 of the parts’ MD5s, followed by their number', () => {
    expect(multipartEtag([`"${first}"`, `"${second}"`])).toBe(`"${joined}-2"`);
    expect(multipartEtag([first, second])).toBe(`"${joined}-2"`);
  });

  it('differs for other parts, even when their tags are not MD5 hashes', () => {
    const partTags = [['"x"'], ['"y"'], ['"x"', '"y"'], [`"${first}"`], [`"${second}"`]];
    expect(new Set(partTags.map(multipartEtag)).size).toBe(partTags.length);
  });
});
