import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseEnvFile } from './env-file';

const read = (text: string) => Object.fromEntries(parseEnvFile(text).map(({ name, value }) => [name, value]));

describe('parseEnvFile', () => {
  it.each([
    ['A=1\nB=two words\n', { A: '1', B: 'two words' }],
    ['# comment\n\nexport A="1" # note\r\nB=\'#2\'\r\n', { A: '1', B: '#2' }],
    ['A=x # note\nURL=https://u:p@db.example/x?y=1\n', { A: 'x', URL: 'https://u:p@db.example/x?y=1' }],
    ['KEY="-----BEGIN-----\nabc=\n-----END-----"\nN=1', { KEY: '-----BEGIN-----\nabc=\n-----END-----', N: '1' }],
    ['A="one\\ntwo"\nB=\'one\\ntwo\'', { A: 'one\ntwo', B: 'one\\ntwo' }],
    ['EMPTY=\nAFTER=1', { EMPTY: '', AFTER: '1' }],
    ['A=1\nA=2', { A: '2' }],
    ['just words', {}],
    ['', {}],
  ])('reads %j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it('reads back what it is given in quotes', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/), { maxLength: 6 });
    const values = fc.stringMatching(/^[ a-z#=:\n"]{0,12}$/);
    const entries = names.chain((all) => fc.tuple(...all.map((name) => fc.tuple(fc.constant(name), values))));
    fc.assert(
      fc.property(entries, (all) => {
        const text = all.map(([name, value]) => `${name}='${value}'`).join('\n');
        expect(read(text)).toEqual(Object.fromEntries(all));
      }),
    );
  });
});
