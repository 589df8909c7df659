import { describe, expect, it } from '@jest/globals';
import { printable, printableJson } from './printable';

describe('printable', () => {
  it('keeps text, lines and tabs', () => expect(printable('Grüße\t– ok\n🎉')).toBe('Grüße\t– ok\n🎉'));

  it.each([
    ['\u001b[31mred\u001b[0m', 'red'],
    ['\u001b]0;title\u0007text', 'text'],
    ['a\rb\u0008c\u009b2Jd', 'a\ufffdb\ufffdcd'],
    ['\u001b', '\ufffd'],
    ['gpj.\u202eexe', 'gpj.\ufffdexe'],
  ])('removes what controls a terminal from %j', (text, expected) => expect(printable(text)).toBe(expected));
});

describe('printableJson', () => {
  it('escapes what controls a terminal, and keeps the value', () => {
    const value = { line: 'a\u001b[31mb\u007f\u009b2J – ok' };
    expect(printableJson(value)).toMatch(/^\P{Cc}+$/u);
    expect(JSON.parse(printableJson(value, 2))).toEqual(value);
  });
});
