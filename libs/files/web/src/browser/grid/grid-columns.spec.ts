// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { expect, it } from '@jest/globals';
import { gridColumns, nextSortOrder } from './grid-columns';

it.each([
  ['name', { field: 'name', descending: false }, true],
  ['name', { field: 'size', descending: true }, false],
  ['modified', { field: 'name', descending: false }, true],
  ['size', { field: 'size', descending: true }, false],
] as const)('a click on %s after %j sorts descending: %s', (field, current, descending) => {
  expect(nextSortOrder(current, field)).toEqual({ field, descending });
});

it('marks only the column that the rows are sorted by', () => {
  expect(gridColumns({ field: 'size', descending: true }).map(({ field, sort }) => [field, sort])).toEqual([
    ['name', null],
    ['modified', null],
    ['size', 'descending'],
  ]);
});
