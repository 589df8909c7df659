import { describe, expect, it } from '@jest/globals';
import type { Directory } from '../tree/file-tree';
import type { QueuedSave } from './queued-save';
import { withQueuedFiles } from './with-queued-files';

const saveOf = (key: string, base?: string): QueuedSave => ({
  ...{ key, revision: key, text: 'fünf', encoding: 'utf-8', marked: false, attempted: [], queuedAt: 0 },
  ...(base !== undefined && { base }),
});
const entryOf = (key: string) => ({ key, size: 1, etag: '"1"', modified_at: '2026-01-01T00:00:00Z' });
const NOTES: Directory = {
  path: 'notes',
  directories: [{ name: 'old', path: 'notes/old', files: 2, bytes: 3 }],
  files: [{ name: 'a.md', entry: entryOf('notes/a.md') }],
};

describe('withQueuedFiles', () => {
  it('adds the new files of the directory', () => {
    const { files } = withQueuedFiles(NOTES, [saveOf('notes/new.md'), saveOf('other/new.md')]);
    expect(files.map(({ name }) => name)).toEqual(['a.md', 'new.md']);
    expect(files[1]?.entry).toEqual({
      ...{ key: 'notes/new.md', size: 5, etag: 'queued:notes/new.md', modified_at: '1970-01-01T00:00:00.000Z' },
    });
  });

  it('adds the folders that only new files are in', () => {
    const { directories } = withQueuedFiles(NOTES, [saveOf('notes/old/x.md'), saveOf('notes/new/deep/x.md')]);
    expect(directories.map(({ path }) => path)).toEqual(['notes/old', 'notes/new']);
  });

  it('leaves a directory without new files as it is', () => {
    const saves = [saveOf('notes/a.md'), saveOf('notes/deleted.md', '"7"'), saveOf('other/x.md')];
    expect(withQueuedFiles(NOTES, saves)).toEqual(NOTES);
  });
});
