import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { dateLocale, firstSupported, language, loadLanguage } from './language';
import { perLanguage } from './per-language';

const page = { documentElement: { lang: '' } };

beforeEach(() => void Object.defineProperty(globalThis, 'document', { value: page, configurable: true }));
afterEach(() => {
  Reflect.deleteProperty(globalThis, 'document');
  $localize.locale = undefined;
});

it.each([
  [['de-AT', 'en'], 'de'],
  [['fr-FR', 'en-GB', 'de'], 'en'],
  [['DE'], 'de'],
  [['den', 'fr'], undefined],
  [[], undefined],
])('selects from %j: %s', (tags, found) => {
  expect(firstSupported(tags)).toBe(found);
});

it.each([
  ['en', ['en-GB', 'de'], 'en-GB'],
  ['en', ['de-AT', 'fr'], 'en'],
  ['de', ['en-GB', 'de-CH'], 'de-CH'],
] as const)('writes dates of a page in %s for %j as %s', (current, tags, expected) => {
  expect(dateLocale(current, tags)).toBe(expected);
});

describe('loadLanguage', () => {
  it('loads nothing for English', async () => {
    await loadLanguage('en', { de: () => Promise.reject(new Error('asked for')) });
    expect([language(), page.documentElement.lang]).toEqual(['en', 'en']);
  });

  it('uses the language once its catalogue is loaded', async () => {
    let loaded = false;
    await loadLanguage('de', { de: async () => void (loaded = true) });
    expect([loaded, language(), page.documentElement.lang]).toEqual([true, 'de', 'de']);
  });

  it('stays English when the catalogue cannot be loaded', async () => {
    await loadLanguage('de', { de: () => Promise.reject(new Error('offline')) });
    expect([language(), page.documentElement.lang]).toEqual(['en', 'en']);
  });
});

it('creates a value once per language', () => {
  const made: string[] = [];
  const value = perLanguage((current) => made.push(current));
  expect([value(), value()]).toEqual([1, 1]);
  $localize.locale = 'de';
  expect([value(), value()]).toEqual([2, 2]);
  expect(made).toEqual(['en', 'de']);
});
