import type { LogLine } from '@homeport/apps/contracts';
import { describe, expect, it } from '@jest/globals';
import { blocksOf, filterLines, partsOf, plainText, textOf } from './log-blocks';

const line = (id: number, more: Partial<LogLine> = {}): LogLine => ({
  id: String(id),
  ...{ at: '2026-11-20T15:30:00.123Z', stream: 'stdout', line: `line ${id}`, deploy_id: 'd', instance_id: 'i' },
  ...more,
});

it('removes the escape sequences of terminals', () => {
  expect(textOf({ line: '\x1b[32mok\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07 [1]' })).toBe('ok link [1]');
});

describe('filterLines', () => {
  const all = [line(1), line(2, { stream: 'stderr', line: '\x1b[31mFai\x1b[0mled.' }), line(3, { stream: 'system' })];
  const idsOf = (...filter: Parameters<typeof filterLines>[1][]) =>
    filter.map((each) => filterLines(all, each).map(({ id }) => id));

  it('finds lines by stream and by text in any case', () => {
    expect(
      idsOf({ stream: undefined, text: 'FAILED.' }, { stream: 'system', text: '' }, { stream: 'stdout', text: 'x' }),
    ).toEqual([['2'], ['3'], []]);
  });

  it('returns the same lines without a filter', () => {
    expect(filterLines(all, { stream: undefined, text: '' })).toBe(all);
  });
});

it('keeps the blocks that other lines do not change', () => {
  const some = [line(150), line(199), line(200)];
  const before = blocksOf(some);
  expect(before.map(({ lines }) => lines.length)).toEqual([2, 1]);
  const after = blocksOf([line(3), ...some, line(201)], before);
  expect(after.map(({ lines }) => lines.length)).toEqual([1, 2, 2]);
  expect(after[1]).toBe(before[0]);
  expect(after[2]).not.toBe(before[1]);
});

it('begins a block with each day', () => {
  const days = ['20', '20', '24'].map((day, index) => line(index, { at: `2026-11-${day}T12:00:00Z` }));
  expect(blocksOf(days).map(({ lines }) => lines.length)).toEqual([2, 1]);
});

describe('partsOf', () => {
  it.each([
    ['a.b', '.', ['a', '*.', 'b']],
    ['Error: error', 'error', ['*Error', ': ', '*error']],
    ['nothing', 'x', ['nothing']],
    ['all', '', ['all']],
  ])('%s at %s', (text, search, parts) => {
    expect(partsOf(text, search).map((part) => `${part.isMatch ? '*' : ''}${part.text}`)).toEqual(parts);
  });
});

it('writes lines with time and stream', () => {
  expect(plainText([line(1), line(2, { stream: 'stderr' })])).toBe(
    '2026-11-20T15:30:00.123Z stdout line 1\n2026-11-20T15:30:00.123Z stderr line 2',
  );
});
