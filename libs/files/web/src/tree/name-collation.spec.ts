// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compareNames, CollatedName, collationKey } from './name-collation';

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
const named = (name: string) => new CollatedName(name);

it('compares names like the collator', () => {
  const character = fc.oneof(
    fc.constantFrom(...'0019aAbB-_. (~üÜéçñåŹö'),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  );
  const name = fc.array(character, { maxLength: 12 }).map((characters) => characters.join(''));
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(Math.sign(compareNames(named(a), named(b)))).toBe(Math.sign(collator.compare(a, b)));
    }),
    { numRuns: 5_000 },
  );
});

it('uses the collator for other scripts', () => {
  expect(['straße', 'Привет', '文件', 'smørrebrød'].map(collationKey)).toEqual(Array(4).fill(undefined));
  const names = ['z', 'Привет', 'über', 'Uhr', 'a', 'straße'].map(named);
  expect(names.sort(compareNames).map(({ name }) => name)).toEqual(['a', 'straße', 'über', 'Uhr', 'z', 'Привет']);
});
