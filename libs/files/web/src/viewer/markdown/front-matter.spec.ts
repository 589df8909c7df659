import { describe, expect, it } from '@jest/globals';
import { frontMatter } from './front-matter';

describe('frontMatter', () => {
  it('parses a list of names and values', () => {
    expect(frontMatter('---\ntitle: "A: b"\ntags: [x, y]\nwho:\n  - Ada\n  - Ben\ndraft: true\n---\n# Text')).toEqual({
      rows: [
        ['title', 'A: b'],
        ['tags', 'x, y'],
        ['who', 'Ada, Ben'],
        ['draft', 'true'],
      ],
      source: 'title: "A: b"\ntags: [x, y]\nwho:\n  - Ada\n  - Ben\ndraft: true',
      body: '# Text',
    });
  });

  it('requires the block at the start of the file and a closing line', () => {
    expect(frontMatter('# x\n---\na: 1\n---\n')).toBeUndefined();
    expect(frontMatter('---\na: 1\n')).toBeUndefined();
    expect(frontMatter('----\na: 1\n----\n')).toBeUndefined();
    expect(frontMatter('---\r\na: 1\r\n---\r\nx')).toMatchObject({ rows: [['a', '1']], body: 'x' });
    expect(frontMatter('---\n---\nx')).toMatchObject({ rows: [], body: 'x' });
  });

  it('returns only the source for data that is not a plain list', () => {
    expect(frontMatter('---\n{ "a": 1 }\n---\n')).toMatchObject({ rows: undefined, source: '{ "a": 1 }' });
  });
});
