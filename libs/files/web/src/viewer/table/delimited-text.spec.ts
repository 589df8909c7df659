import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cellsAt, type Delimiter, delimitedText, DELIMITERS, detectDelimiter } from './delimited-text';
import { tableColumns } from './table-columns';

function recordsOf(text: string, fixed?: Delimiter): readonly (readonly string[])[] {
  const { starts, delimiter } = delimitedText(text, fixed);
  return starts.map((start) => cellsAt(text, start, delimiter));
}

describe('delimitedText', () => {
  it.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n"x, y","say ""hi"""\n',
      [
        ['a', 'b'],
        ['x, y', 'say "hi"'],
      ],
    ],
    [
      'a,b\n"two\nlines",2\n',
      [
        ['a', 'b'],
        ['two\nlines', '2'],
      ],
    ],
    [
      'a,b\n,\n',
      [
        ['a', 'b'],
        ['', ''],
      ],
    ],
    [
      'a,b\n\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a\tb\n1\t2,5',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    [
      'a;b\n1,5;2,5',
      [
        ['a', 'b'],
        ['1,5', '2,5'],
      ],
    ],
    [
      '5" pipe,b\n1,2',
      [
        ['5" pipe', 'b'],
        ['1', '2'],
      ],
    ],
  ])('reads %j', (text, records) => {
    expect(recordsOf(text)).toEqual(records);
  });

  it.each([
    ['a,b\n1,"open\n2,3', 2],
    ['a,b\n"x"y,2\n', 2],
    ['"never closed', 1],
  ])('reports the line of the faulty quotes in %j', (text, line) => {
    expect(delimitedText(text, ',').faultyLine).toBe(line);
  });

  it('reads every table that is written with quotes', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', '"', ',', ';', '\t', '\n', '\r', ' ') });
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(
        table,
        fc.constantFrom(...DELIMITERS),
        fc.constantFrom('\n', '\r\n'),
        (rows, delimiter, lineBreak) => {
          const quoted = rows.map((cells) => cells.map((each) => `"${each.replaceAll('"', '""')}"`).join(delimiter));
          expect(recordsOf(quoted.join(lineBreak), delimiter)).toEqual(rows);
        },
      ),
    );
  });
});

it.each([
  ['name,price\nA,"1;2"\nB,3', ','],
  ['name;price\nA;1,50\nB;2,75', ';'],
  ['one column\nof words', ','],
  ['a|b|c\n1|2|3', '|'],
])('detects the delimiter of %j', (text, delimiter) => {
  expect(detectDelimiter(text)).toBe(delimiter);
});

it('aligns columns of numbers, also where cells are empty', () => {
  const columns = tableColumns(
    ['Name', 'Price', 'Share', 'Note'],
    [
      ['A', '1,234.50', '12 %', ''],
      ['B', '', '-3%', ''],
    ],
  );
  expect(columns.map(({ isNumeric }) => isNumeric)).toEqual([false, true, true, false]);
});
