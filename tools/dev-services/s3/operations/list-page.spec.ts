import { describe, expect, it } from '@jest/globals';
import { justAfter, rankOf, SortedKeys } from '../storage/sorted-keys.ts';
import { listPage } from './list-page.ts';
import type { ListPage, ListRequest } from './list-page.ts';

const KEYS = ['a', 'd/1', 'd/2', 'd/e/3', 'd/😀', 'd0', 'f/1', 'f/2', 'ü/x', '😀/y', 'z'];

function page(request: Partial<ListRequest>, keys: Iterable<string> = KEYS): ListPage {
  return listPage(SortedKeys.from(keys), { prefix: '', delimiter: '', position: '', limit: 1000, ...request });
}

function allPages(request: Partial<ListRequest>): { keys: string[]; groups: string[]; sizes: number[] } {
  const all = { keys: [] as string[], groups: [] as string[], sizes: [] as number[] };
  let position: string | undefined = '';
  while (position !== undefined) {
    const { keys, groups, next }: ListPage = page({ ...request, position });
    all.keys.push(...keys);
    all.groups.push(...groups);
    all.sizes.push(keys.length + groups.length);
    position = next;
  }
  return all;
}

describe('listPage', () => {
  it('lists everything in UTF-8 order', () => {
    expect(page({}).keys).toEqual(['a', 'd/1', 'd/2', 'd/e/3', 'd/😀', 'd0', 'f/1', 'f/2', 'z', 'ü/x', '😀/y']);
  });

  it('groups by delimiter, below a prefix too', () => {
    expect(page({ delimiter: '/' })).toEqual({
      keys: ['a', 'd0', 'z'],
      groups: ['d/', 'f/', 'ü/', '😀/'],
      next: undefined,
    });
    expect(page({ delimiter: '/', prefix: 'd/' })).toEqual({
      keys: ['d/1', 'd/2', 'd/😀'],
      groups: ['d/e/'],
      next: undefined,
    });
    expect(page({ prefix: 'nothing' })).toEqual({ keys: [], groups: [], next: undefined });
  });

  it.each([1, 2, 3, 7])('neither loses nor repeats keys in pages of %i', (limit) => {
    const all = allPages({ delimiter: '/', limit });
    expect(all).toMatchObject({ keys: ['a', 'd0', 'z'], groups: ['d/', 'f/', 'ü/', '😀/'] });
    expect(Math.max(...all.sizes)).toBeLessThanOrEqual(limit);
    expect(allPages({ limit }).keys).toEqual(page({}).keys);
  });

  it('does not announce a page that would be empty', () => {
    expect(page({ limit: KEYS.length }).next).toBeUndefined();
    expect(page({ limit: 4, prefix: 'd/' }).next).toBeUndefined();
    expect(page({ limit: 0 })).toEqual({ keys: [], groups: [], next: undefined });
  });

  it('starts after a key, even if it does not exist', () => {
    expect(page({ position: justAfter(rankOf('f/1')) }).keys).toEqual(['f/2', 'z', 'ü/x', '😀/y']);
    expect(page({ position: justAfter(rankOf('f/11')) }).keys).toEqual(['f/2', 'z', 'ü/x', '😀/y']);
    expect(page({ position: justAfter(rankOf('a')), prefix: 'f' }).keys).toEqual(['f/1', 'f/2']);
  });
});
