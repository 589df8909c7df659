import { describe, expect, it } from '@jest/globals';
import { hash } from 'node:crypto';
import { multipartTag, statedTag } from './entity-tags';

describe('statedTag', () => {
  it.each([undefined, '', '""'])('is absent for %j', (etag) => {
    expect(statedTag(etag)).toBeUndefined();
  });

  it('is the tag as storage wrote it', () => {
    expect(statedTag('"a-1"')).toBe('"a-1"');
  });
});

describe('multipartTag', () => {
  const [first, second] = [hash('md5', 'one'), hash('md5', 'two')];
  const joined = hash('md5', Buffer.from(first + second, 'hex'));

  it('is the MD5 of the parts’ MD5s, and their number', () => {
    expect(multipartTag([`"${first}"`, `"${second}"`])).toBe(`"${joined}-2"`);
    expect(multipartTag([first, second])).toBe(`"${joined}-2"`);
  });

  it('differs for other parts, also where their tags are no MD5', () => {
    const partTags = [['"x"'], ['"y"'], ['"x"', '"y"'], [`"${first}"`], [`"${second}"`]];
    expect(new Set(partTags.map(multipartTag)).size).toBe(partTags.length);
  });
});
