import { describe, expect, it } from '@jest/globals';
import { workspaceRoot } from '../domain/workspace-key';
import type { ObjectStore } from './object-store.port';
import { workspaceBytes } from './workspace-bytes';

describe('workspaceBytes', () => {
  it('adds up the files of all pages', async () => {
    const object = (key: string, size: number) => ({ key, size, etag: '"1"', modifiedAt: new Date(0) });
    const pages = [
      { objects: [object('a', 2 ** 40), object('b', 1)], directories: [], next: 'page-2' },
      { objects: [object('c', 5)], directories: [] },
    ];
    const asked: unknown[] = [];
    const store: Pick<ObjectStore, 'list'> = {
      list: async (prefix, { cursor }) => {
        asked.push([prefix, cursor]);
        return pages[cursor === undefined ? 0 : 1]!;
      },
    };
    const root = workspaceRoot({ issuer: 'https://id.example.com', subject: 'ada' });
    expect(await workspaceBytes(store, root)).toBe(2n ** 40n + 6n);
    expect(asked).toEqual([
      [root, undefined],
      [root, 'page-2'],
    ]);
  });
});
