import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { translateProblem, translateServerText, useServerMessages } from './server-messages';

beforeAll(() =>
  useServerMessages({
    problems: { 'files.not-found': { title: 'Nicht gefunden', detail: 'Diese Datei gibt es nicht.' } },
    texts: { Storage: 'Speicher', 'It is 3 too long.': 'Es ist um 3 zu lang.' },
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

  it.each(['constructor', 'files.other'])('stays English for the unknown code %s', (code) => {
    expect(said(code, 'It does not exist.')).toEqual(['No', 'It does not exist.']);
    expect(translateServerText(code)).toBe(code);
  });
});
