import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateProblem, translateServerText, useServerMessages } from './server-messages';

beforeAll(() =>
  useServerMessages({
    problems: { 'files.not-found': { title: 'Nicht gefunden', detail: 'Diese Datei gibt es nicht.' } },
    texts: {
      Storage: 'Speicher',
      'It is 3 too long.': 'Es ist um 3 zu lang.',
      'It is {$count} too long.': 'Es ist um {$count} zu lang.',
      '"{$name}": {$reason}': '„{$name}“: {$reason}',
      'There are {$count} faults. The first: {$reason}': '{$count} Fehler, zuerst {$reason}',
    },
  }),
);
afterAll(() => useServerMessages({ problems: {}, texts: {} }));

const said = (code: string, detail: string) => Object.values(translateProblem({ code, title: 'No', detail }));

describe('a message of the server', () => {
  it('is translated by the code of the problem', () =>
    expect(said('files.not-found', 'It does not exist.')).toEqual(['Nicht gefunden', 'Diese Datei gibt es nicht.']));

  it('is translated by its text when the text is known', () => {
    expect(said('files.not-found', 'It is 3 too long.')).toEqual(['Nicht gefunden', 'Es ist um 3 zu lang.']);
    expect(translateServerText('Storage')).toBe('Speicher');
  });

  it.each([
    ['It is 12 too long.', 'Es ist um 12 zu lang.'],
    ['"a": b.html": It is 3 too long.', '„a": b.html“: Es ist um 3 zu lang.'],
    ['There are 2 faults. The first: "a\nb": It is 7 too long.', '2 Fehler, zuerst „a\nb“: Es ist um 7 zu lang.'],
    ['"Storage": Unknown.', '„Storage“: Unknown.'],
    ['Also: It is 12 too long.', 'Also: It is 12 too long.'],
  ])('is translated with the values in it: %j', (text, translation) => {
    expect(translateServerText(text)).toBe(translation);
  });

  it.each(['constructor', 'files.other'])('stays English for the unknown code %s', (code) => {
    expect(said(code, 'It does not exist.')).toEqual(['No', 'It does not exist.']);
    expect(translateServerText(code)).toBe(code);
  });
});
