import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Actor } from '@homeport/identity/contracts';
import { InMemoryObjectStore } from '../adapters/memory/in-memory-object-store';
import { FileMissing, PathOutsideToken } from '../domain/files.errors';
import { workspaceKeyOfPath, workspaceRoot } from '../domain/workspace-key';
import { assertReachable, confinedTo } from './confined-object-store';
import { ListingCursors } from './listing-cursors';
import { MemoryBudget } from './memory-budget';
import { Workspace } from './workspace';

const PERSON: Actor = { issuer: 'https://issuer.example', subject: 'ada' };
const CONFINED: Actor = {
  ...PERSON,
  grant: { kind: 'personal', id: 'token', scopes: ['files:read', 'files:write'], prefix: 'reports/2026/' },
};
const INSIDE = ['reports/2026/a.md', 'reports/2026/q3/b.md'];
const OUTSIDE = ['a.md', 'reports/2026', 'reports/2026.md', 'reports/2025/a.md', 'reports/20267/a.md'];
const LIVE = new AbortController().signal;

let objects: InMemoryObjectStore;
let workspace: Workspace;

beforeEach(async () => {
  objects = new InMemoryObjectStore();
  const root = workspaceRoot(PERSON);
  for (const path of [...INSIDE, ...OUTSIDE]) {
    const upload = { body: Buffer.from(path), contentType: 'text/plain', condition: undefined, signal: LIVE };
    await objects.put(workspaceKeyOfPath(root, path), upload);
  }
  workspace = new Workspace(objects, new ListingCursors([Buffer.alloc(32)]), {
    maxBytes: 1_000,
    tags: new Map(),
    memory: new MemoryBudget(32 * 1024 * 1024),
  });
});

async function listed(prefix: string, delimiter?: '/'): Promise<readonly string[]> {
  const request = { prefix, limit: 100, ...(delimiter && { delimiter }) };
  const { items, directories } = await workspace.list(CONFINED, request);
  return [...items.map(({ key }) => key), ...directories];
}

describe('a workspace for a token that is confined to a folder', () => {
  it.each([
    ['', undefined, INSIDE],
    ['rep', undefined, INSIDE],
    ['reports/2026/', undefined, INSIDE],
    ['reports/2026/q', undefined, ['reports/2026/q3/b.md']],
    ['reports/2025/', undefined, []],
    ['reports/2026.', undefined, []],
    ['a', undefined, []],
    ['', '/', ['reports/']],
    ['reports/', '/', ['reports/2026/']],
    ['reports/20', '/', ['reports/2026/']],
    ['reports/2026/', '/', ['reports/2026/a.md', 'reports/2026/q3/']],
    ['reports/2025/', '/', []],
  ] as const)('lists %j with the delimiter %j as if only the folder existed', async (prefix, delimiter, keys) => {
    expect(await listed(prefix, delimiter)).toEqual(keys);
  });

  it('lists no directory that leads to an empty folder', async () => {
    for (const path of INSIDE) await objects.delete(workspaceKeyOfPath(workspaceRoot(PERSON), path));
    expect(await listed('', '/')).toEqual([]);
  });

  it('finds the newest files of the folder only', async () => {
    const { items } = await workspace.newest(CONFINED, '', 100);
    expect(items.map(({ key }) => key).toSorted()).toEqual(INSIDE);
  });

  it.each(OUTSIDE)('answers for %s as for an absent file', async (path) => {
    await expect(workspace.read(CONFINED, path, {}, LIVE)).rejects.toThrow(FileMissing);
    await expect(workspace.read(CONFINED, path, { range: 'bytes=0-1' }, LIVE)).rejects.toThrow(FileMissing);
    await expect(workspace.describe(CONFINED, path, {})).rejects.toThrow(FileMissing);
    await expect(workspace.describe(CONFINED, path, { ifNoneMatch: '*' })).rejects.toThrow(FileMissing);
    await expect(workspace.delete(CONFINED, path, {})).rejects.toThrow(PathOutsideToken);
    expect(() => assertReachable(CONFINED, workspaceKeyOfPath(workspaceRoot(PERSON), path))).toThrow(PathOutsideToken);
    expect(await objects.head(workspaceKeyOfPath(workspaceRoot(PERSON), path))).toBeDefined();
  });

  it.each(INSIDE)('reads and deletes %s', async (path) => {
    expect(await workspace.describe(CONFINED, path, {})).toMatchObject({ size: path.length });
    await workspace.delete(CONFINED, path, {});
    await expect(workspace.describe(CONFINED, path, {})).rejects.toThrow(FileMissing);
  });

  it('does not confine its person', () => {
    expect(confinedTo(PERSON, objects)).toBe(objects);
  });
});
