import { describe, expect, it } from '@jest/globals';
import { continueItems } from './continue-items';

const at = (minute: number): string => new Date(Date.UTC(2026, 10, 23, 12, minute)).toISOString();
const ms = (minute: number): number => Date.parse(at(minute));

describe('continueItems', () => {
  it('merges opened and modified files, newest first, with the latest event of each', () => {
    const modified = [
      { key: 'b.md', modified_at: at(30) },
      { key: 'a.md', modified_at: at(10) },
    ];
    const opened = [
      { key: 'a.md', viewedAt: ms(40) },
      { key: 'b.md', viewedAt: ms(20) },
      { key: 'c.md', viewedAt: ms(5) },
    ];
    expect(continueItems({ modified, opened, drafts: [] })).toEqual([
      { key: 'a.md', reason: 'opened', at: at(40) },
      { key: 'b.md', reason: 'modified', at: at(30) },
      { key: 'c.md', reason: 'opened', at: at(5) },
    ]);
  });

  it('does not list a picture as opened that was read for the file that shows it', () => {
    const modified = [{ key: 'old.png', modified_at: at(10) }];
    const opened = ['old.png', 'new.png'].map((key) => ({ key, viewedAt: 0 }));
    expect(continueItems({ modified, opened, drafts: [] })).toEqual([
      { key: 'old.png', reason: 'modified', at: at(10) },
    ]);
  });

  it('keeps the order of the server for files modified at the same time', () => {
    const modified = ['z.md', 'a.md', 'm.md'].map((key) => ({ key, modified_at: at(1) }));
    expect(continueItems({ modified, opened: [], drafts: [] }).map(({ key }) => key)).toEqual(['z.md', 'a.md', 'm.md']);
  });

  it('shows the newest unsaved draft of a file, although the file was opened later', () => {
    const drafts = [
      { key: 'a.md', writtenAt: ms(20) },
      { key: 'a.md', writtenAt: ms(10) },
    ];
    const opened = [{ key: 'a.md', viewedAt: ms(30) }];
    expect(continueItems({ modified: [], opened, drafts })).toEqual([{ key: 'a.md', reason: 'draft', at: at(20) }]);
  });
});
