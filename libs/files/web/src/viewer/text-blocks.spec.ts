import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { textBlocks } from './text-blocks';

describe('textBlocks', () => {
  it('loses nothing but the last line break', () => {
    const line = fc.constantFrom('', 'a', 'long line');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 700 }), (lines) => {
        const text = lines.join('\n');
        expect(textBlocks(text).join('\n')).toBe(text.replace(/\n$/, ''));
      }),
    );
  });

  it('cuts every 200 lines', () => {
    expect(textBlocks('x\n'.repeat(401))).toHaveLength(3);
    expect(textBlocks('')).toEqual([]);
  });
});
