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

describe('what the server says', () => {
  it('is translated by the code of the problem', () =>
    expect(said('files.not-found', 'There is none.')).toEqual(['Nicht gefunden', 'Diese Datei gibt es nicht.']));

  it('is translated by its words where these are known', () => {
    expect(said('files.not-found', 'It is 3 too long.')).toEqual(['Nicht gefunden', 'Es ist um 3 zu lang.']);
    expect(translateServerText('Storage')).toBe('Speicher');
  });

  it.each(['constructor', 'files.other'])('stays as it is for %s, which nobody knows', (code) => {
    expect(said(code, 'There is none.')).toEqual(['No', 'There is none.']);
    expect(translateServerText(code)).toBe(code);
  });
});
