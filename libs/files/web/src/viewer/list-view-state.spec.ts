// Angular's packages are linked at run time outside a build.
import '@angular/compiler';
import type { Location } from '@angular/common';
import { expect, it } from '@jest/globals';
import { storeView, storedView } from './list-view-state';

function locationWith(state: unknown): { readonly location: Location; readonly stored: () => unknown } {
  let stored = state;
  const location = {
    path: () => '/view/a.txt#L3',
    getState: () => stored,
    replaceState: (_path: string, _query: string, next: unknown) => (stored = next),
  };
  return { location: location as unknown as Location, stored: () => stored };
}

it('keeps the sort order and the filter beside the state of the router', () => {
  const { location, stored } = locationWith({ navigationId: 7 });
  const view = { order: { field: 'size', descending: true }, filter: 'txt' } as const;
  storeView(location, view);
  expect(stored()).toMatchObject({ navigationId: 7 });
  expect(storedView(stored())).toEqual(view);
});

it.each([null, undefined, 3, { navigationId: 1 }, { listSort: 1, listFilter: 'a' }])('finds no view in %j', (state) => {
  expect(storedView(state)).toBeUndefined();
});
