// The published code of Angular is linked at run time outside a build.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { typedPathError } from './path-error-messages';

it.each(['a', 'é', '🎉', '\u200da', 'a b', ' a'])('takes the name %j', (name) => {
  expect(typedPathError('notes', name)).toBeUndefined();
});

it.each([' ', '\u00a0', '\u3000', '\u200b', '\u00ad\u2060', '\u2800', '\u3164', 'notes/ ', ' /plan.md'])(
  'refuses %j, which nobody could see',
  (name) => {
    expect(typedPathError('', name)).toBe('A name needs something that can be seen.');
  },
);

it('says first what no path may be', () => {
  expect(typedPathError('', 'a//b')).toBe('The path has an empty segment.');
  expect(typedPathError('', ' \\')).toBe('The path has a backslash.');
});
