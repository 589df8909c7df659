import { describe, expect, it } from '@jest/globals';
import { prettyJson } from '../json/pretty-json';
import { LineFolds } from './line-folds';

const text = prettyJson('{"a":{"b":[1,2],"c":"}\\n  ]"},"d":[],"e":[{"f":1}]}').text ?? '';
const lines = text.split('\n');
const offsetOf = (line: number): number => lines.slice(0, line).join('\n').length + (line === 0 ? 0 : 1);
const fold = (folds: LineFolds, line: number) => folds.fold(line, offsetOf(line));

describe('LineFolds', () => {
  it('folds the content of an object or array', () => {
    const folds = new LineFolds(text);
    for (const [line, words] of lines.entries()) {
      if (!folds.isFoldable(`${words}\n`)) continue;
      const { first, last } = fold(folds, line);
      expect(lines[first - 1]).toBe(words);
      expect(lines[last + 1]?.trim()).toMatch(/^[}\]],?$/);
      expect(lines[last + 1]?.search(/\S/)).toBe(words.search(/\S/));
    }
  });

  it('finds closing brackets by indentation, not inside strings', () => {
    expect(fold(new LineFolds(text), 1)).toEqual({ first: 2, last: 6 });
    expect(fold(new LineFolds(text), 0)).toEqual({ first: 1, last: lines.length - 2 });
  });

  it('does not offer empty objects and arrays', () => {
    expect(new LineFolds(text).isFoldable('  "d": [],\n')).toBe(false);
  });

  it('folds and unfolds everything but the enclosing object', () => {
    const folds = new LineFolds(text);
    fold(folds, 2);
    folds.foldAll();
    const visible = lines.filter((_, line) => !folds.isHidden(line));
    expect(visible.join('\n')).toBe('{\n  "a": {\n  },\n  "d": [],\n  "e": [\n  ]\n}');
    folds.unfold(1);
    expect([folds.isHidden(2), folds.isHidden(3)]).toEqual([false, true]);
    folds.unfoldAll();
    expect(lines.some((_, line) => folds.isHidden(line) || folds.isFolded(line))).toBe(false);
  });

  it('keeps inner folds when an outer one is unfolded', () => {
    const folds = new LineFolds(text);
    fold(folds, 2);
    fold(folds, 1);
    expect(folds.foldsAround(3)).toEqual([2, 1]);
    expect(folds.hidesAll(2, 6)).toBe(true);
    folds.unfold(1);
    expect([folds.isHidden(3), folds.isHidden(5), folds.isFolded(2)]).toEqual([true, false, true]);
  });
});
