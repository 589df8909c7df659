import { describe, expect, it } from '@jest/globals';
import { bestMatches, rankOf, searchable, queryTerms } from './ranking';

const path = (text: string) => searchable(text, text.lastIndexOf('/') + 1);

function found(query: string, paths: readonly string[], limit = 10): readonly string[] {
  return bestMatches(paths, queryTerms(query), limit, path);
}

describe('ranking', () => {
  it('ranks names before paths, starts before middles, and scattered letters last', () => {
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

  it('requires every word, in any order and case', () => {
    const paths = ['reports/q3 revenue.json', 'reports/q3 costs.json', 'threads/revenue.md'];
    expect(found('REVENUE reports', paths)).toEqual(['reports/q3 revenue.json']);
  });

  it('prefers the shorter of equal matches and keeps their order', () => {
    expect(found('note', ['a/notes-long.md', 'a/notes.md', 'b/notes.md'])).toEqual([
      'a/notes.md',
      'b/notes.md',
      'a/notes-long.md',
    ]);
  });

  it('returns at most the limit', () => {
    expect(found('x', ['a/xxx', 'b/xx', 'c/x'], 2)).toEqual(['c/x', 'b/xx']);
  });

  it('finds accented letters in any Unicode form', () => {
    expect(found('cafe\u0301', ['a/caf\u00e9.md'])).toEqual(['a/caf\u00e9.md']);
    expect(found('🎉?', ['100% (final) #2; emoji 🎉?.md'])).toHaveLength(1);
  });

  it('keeps the order without a query', () => {
    expect(found(' ', ['long', 'a'])).toEqual(['long', 'a']);
  });

  it('matches nothing that lacks a letter', () => {
    expect(rankOf('xyz', searchable('xy'))).toBeUndefined();
  });

  it('reads 50,000 paths once, for any limit', () => {
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
