import { describe, expect, it } from '@jest/globals';
import { printable } from './printable';

describe('printable', () => {
  it('keeps text and tabs', () => expect(printable('Grüße\t– ok 🎉')).toBe('Grüße\t– ok 🎉'));

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['a\rb\u0008c\u009b2Jd', 'a\ufffdb\ufffdcd'],
    ['\u001b', '\ufffd'],
  ])('removes what controls a terminal from %j', (text, expected) => expect(printable(text)).toBe(expected));
});
