import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { blockOfLine, textBlocks } from './text-blocks';

describe('textBlocks', () => {
  it('covers the whole text and counts lines', () => {
    const line = fc.constantFrom('', 'a', 'long line', 'x'.repeat(20_000), '🎉'.repeat(9_000));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const text = lines.join('\n');
        const blocks = textBlocks(text);
        expect(blocks.map(({ from, to }) => text.slice(from, to)).join('') === text).toBe(true);
        for (const block of blocks) expect(block.line).toBe(text.slice(0, block.from).split('\n').length - 1);
      }),
      { numRuns: 30 },
    );
  });

  it('splits after every 200 lines', () => {
    expect(textBlocks('x\n'.repeat(401))).toHaveLength(3);
    expect(textBlocks('x\n'.repeat(400)).map(({ lines }) => lines)).toEqual([200, 200]);
    expect(textBlocks('a\nb')).toEqual([{ from: 0, to: 3, line: 0, lines: 2, continues: false }]);
    expect(textBlocks('')).toEqual([]);
  });

  it('splits very long lines, but not inside a character', () => {
    const text = `a\n🎉${'x'.repeat(16_381)}${'🎉'.repeat(20_000)}`;
    const blocks = textBlocks(text);
    expect(blocks.length).toBeGreaterThan(3);
    expect(blocks.map(({ continues }) => continues).slice(0, 3)).toEqual([false, false, true]);
    for (const { from, to } of blocks) expect(text.slice(from, to).isWellFormed()).toBe(true);
  });

  it('handles one line of many megabytes', () => {
    expect(textBlocks('x'.repeat(20_000_000)).length).toBeGreaterThan(1_000);
  });
});

describe('blockOfLine', () => {
  it('returns the block in which a line begins', () => {
    const blocks = textBlocks(`${'x\n'.repeat(250)}${'y'.repeat(40_000)}\nz`);
    expect(blockOfLine(blocks, 0)).toBe(blocks[0]);
    expect(blockOfLine(blocks, 200)).toBe(blocks[1]);
    expect(blockOfLine(blocks, 250)).toBe(blocks[2]);
    expect(blockOfLine(blocks, 251)).toBe(blocks.at(-1));
    expect(blockOfLine(blocks, 9_999)).toBeUndefined();
  });
});
