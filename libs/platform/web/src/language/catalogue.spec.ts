import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useCatalogue } from './catalogue';

beforeAll(() =>
  useCatalogue({
    Retry: 'Erneut versuchen',
    'verb|Open': 'Öffnen',
    'Moved {$name} to {$place}.': 'Nach {$place} verschoben: {$name}.',
    '{$PH} of {$PH_1}': ':{$PH_1}, davon {$PH}',
  }),
);
afterAll(() => void ($localize.translate = undefined));

describe('useCatalogue', () => {
  it.each([
    [() => $localize`Retry`, 'Erneut versuchen'],
    [() => $localize`:on buttons:Retry`, 'Erneut versuchen'],
    [() => $localize`\n  Retry `, '\n  Erneut versuchen '],
    [() => $localize`:verb|:Open`, 'Öffnen'],
    [() => $localize`Open`, 'Open'],
    [() => $localize`constructor`, 'constructor'],
    [() => $localize`Moved ${'a.md'}:name: to\n ${'/b'}:place:.`, 'Nach /b verschoben: a.md.'],
    [() => $localize`${1} of ${2}`, ':2, davon 1'],
    [() => $localize`Gone: ${'x'}:name:`, 'Gone: x'],
  ])('%#', (say, words) => {
    expect(say()).toBe(words);
  });
});
