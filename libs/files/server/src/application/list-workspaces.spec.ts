import { describe, expect, it } from '@jest/globals';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import type { WorkspaceKey } from '../domain/workspace-key';
import { workspaceKey, workspaceRoot } from '../domain/workspace-key';
import { listWorkspaces } from './list-workspaces';

describe('listWorkspaces', () => {
  const store = new InMemoryObjectStore();
  const put = (key: WorkspaceKey) =>
    store.put(key, {
      body: Buffer.from('x'),
      contentType: 'text/plain',
      condition: undefined,
      signal: new AbortController().signal,
    });

  it('lists the workspaces with files in pages, and no other prefixes', async () => {
    const roots = ['ada', 'ben', 'cleo'].map((subject) => workspaceRoot({ issuer: 'https://id.example.com', subject }));
    for (const root of roots) await put(workspaceKey(root, 'notes/day.md'));
    await put('u/other/file' as WorkspaceKey);
    await put('d/blob' as WorkspaceKey);
    const pages: (readonly string[])[] = [];
    for await (const page of listWorkspaces(store, 2)) pages.push(page);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().sort()).toEqual(roots.toSorted());
  });
});
