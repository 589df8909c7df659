import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Homeport } from '@homeport/api-client';
import { FolderPair } from './folder-pair';
import { sync } from './sync';
import { SyncState } from './sync-state';

const TAG_OF_PARTS = '"11111111111111111111111111111111-2"';
const tagOf = (content: string) => `"${createHash('md5').update(content).digest('hex')}"`;

let root: string;
let folder: string;
let state: SyncState;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'homeport-sync-'));
  folder = join(root, 'files');
  await mkdir(folder);
  state = await SyncState.open(join(root, 'state'), ['pair']);
});

afterEach(() => rm(root, { recursive: true }));

/** A workspace with one file. @param onRead called when its bytes are read. */
function pairWith(
  key: string,
  content: string,
  { etag = tagOf(content), onRead = () => Promise.resolve() } = {},
): FolderPair {
  const homeport = new Homeport({
    baseUrl: 'http://localhost',
    fetch: async ({ url }) => {
      const entry = { key, size: content.length, etag, content_type: 'text/plain', last_modified: '2026-01-01' };
      if (url.includes('/api/files?')) return Response.json({ items: [entry], directories: [], next_cursor: null });
      await onRead();
      return new Response(content);
    },
  });
  return new FolderPair({ homeport, folder, prefix: '', state, signal: AbortSignal.timeout(10_000) });
}

const RULES = { deletes: false, force: false, dryRun: false, onDone: () => undefined };
const [DECOMPOSED, COMPOSED] = ['Gro\u0308ße.txt', 'Gr\u00f6ße.txt'];

describe('sync', () => {
  it('finds a local file whose name has another Unicode form than that of the workspace', async () => {
    await writeFile(join(folder, DECOMPOSED), 'same');
    const results = await sync(pairWith(COMPOSED, 'same'), { ...RULES, direction: 'up' });
    expect(results).toEqual([{ path: COMPOSED, action: 'same' }]);
    expect(state.find(COMPOSED)).toMatchObject({ size: 4 });
  });

  it('replaces such a file', async () => {
    await writeFile(join(folder, DECOMPOSED), 'old');
    const results = await sync(pairWith(COMPOSED, 'new!'), { ...RULES, force: true, direction: 'down' });
    expect(results).toEqual([{ path: COMPOSED, action: 'replace' }]);
    expect(await readFile(join(folder, DECOMPOSED), 'utf8')).toBe('new!');
  });

  it('finds an edit that was made during the comparison in the next run', async () => {
    const location = join(folder, 'a.txt');
    await writeFile(location, 'same');
    const onRead = () => writeFile(location, 'edited');
    const pair = pairWith('a.txt', 'same', { etag: TAG_OF_PARTS, onRead });
    expect(await sync(pair, { ...RULES, direction: 'up' })).toEqual([{ path: 'a.txt', action: 'same' }]);
    const again = await sync(pair, { ...RULES, direction: 'up', dryRun: true });
    expect(again).toEqual([{ path: 'a.txt', action: 'replace' }]);
  });
});
