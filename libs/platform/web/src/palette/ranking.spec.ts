import { describe, expect, it } from '@jest/globals';
import { bestMatches, rankOf, searchable, queryTerms } from './ranking';

const path = (text: string) => searchable(text, text.lastIndexOf('/') + 1);

function found(query: string, paths: readonly string[], limit = 10): readonly string[] {
  return bestMatches(paths, queryTerms(query), limit, path);
}

describe('searching by what one remembers', () => {
  it('finds names before paths, beginnings before middles, and scattered letters last', () => {
    const paths = [
      'report/other.md',
      'r/e-p-o-r-t.md',
      'a/my-report.md',
      'a/misreported.md',
      'a/report.md',
      'a/report',
      'b/nothing.md',
    ];
    expect(found('report', paths)).toEqual([
      'a/report',
      'a/report.md',
      'a/my-report.md',
      'a/misreported.md',
      'report/other.md',
      'r/e-p-o-r-t.md',
    ]);
  });

  it('wants every word, in any order and case', () => {
    const paths = ['reports/q3 revenue.json', 'reports/q3 costs.json', 'threads/revenue.md'];
    expect(found('REVENUE reports', paths)).toEqual(['reports/q3 revenue.json']);
  });

  it('takes the shorter of two that fit alike, and keeps the order of equal ones', () => {
    expect(found('note', ['a/notes-long.md', 'a/notes.md', 'b/notes.md'])).toEqual([
      'a/notes.md',
      'b/notes.md',
      'a/notes-long.md',
    ]);
  });

  it('answers no more than was asked for', () => {
    expect(found('x', ['a/xxx', 'b/xx', 'c/x'], 2)).toEqual(['c/x', 'b/xx']);
  });

  it('finds letters with marks however they were typed', () => {
    expect(found('cafe\u0301', ['a/caf\u00e9.md'])).toEqual(['a/caf\u00e9.md']);
    expect(found('🎉?', ['100% (final) #2; emoji 🎉?.md'])).toHaveLength(1);
  });

  it('keeps the order while nothing is asked', () => {
    expect(found(' ', ['long', 'a'])).toEqual(['long', 'a']);
  });

  it('fits nothing that lacks a letter', () => {
    expect(rankOf('xyz', searchable('xy'))).toBeUndefined();
  });

  it('goes through 50,000 paths once, whatever is kept of them', () => {
    const faces = Array.from({ length: 50_000 }, (_, index) => path(`threads/year-${index % 40}/message ${index}.md`));
    const best = (query: string) => {
      let asked = 0;
      const found = bestMatches(faces, queryTerms(query), 8, (face) => {
        asked += 1;
        return face;
      });
      return [found.length, asked];
    };
    expect([best('mes 49999'), best('message'), best('')]).toEqual([
      [1, 50_000],
      [8, 50_000],
      [8, 50_000],
    ]);
  });
});
