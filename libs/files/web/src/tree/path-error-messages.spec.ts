// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { typedPathError } from './path-error-messages';

it.each(['a', 'é', '🎉', '\u200da', 'a b', ' a'])('accepts the name %j', (name) => {
  expect(typedPathError('notes', name)).toBeUndefined();
});

it.each([' ', '\u00a0', '\u3000', '\u200b', '\u00ad\u2060', '\u2800', '\u3164', 'notes/ ', ' /plan.md'])(
  'rejects the invisible name %j',
  (name) => {
    expect(typedPathError('', name)).toBe('A name needs at least one visible character.');
  },
);

it('reports invalid paths before invisible names', () => {
  expect(typedPathError('', 'a//b')).toBe('The path has an empty segment.');
  expect(typedPathError('', ' \\')).toBe('The path has a backslash.');
});
