import { describe, expect, it } from '@jest/globals';
import { folderOfUrl } from './folder-at';

describe('folderOfUrl', () => {
  it.each([
    ['/files', ''],
    ['/files/workspace', ''],
    ['/files/reports/2026', 'reports/2026'],
    ['/files/workspace/workspace/x', 'workspace/x'],
    ['/files/50%25%20%23%3F/%C3%BC', '50% #?/ü'],
    ['/view/reports/a.md', undefined],
    ['/', undefined],
    ['/files/%ZZ', undefined],
  ])('of %s is %s', (pathname, folder) => {
    expect(folderOfUrl(pathname)).toBe(folder);
  });
});
