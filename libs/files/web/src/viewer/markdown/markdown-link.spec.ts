import { describe, expect, it } from '@jest/globals';
import { markdownLink } from './markdown-link';

describe('markdownLink', () => {
  it.each([
    ['b.md', '/view/threads/b.md'],
    ['./b%20c.md', '/view/threads/b%20c.md'],
    ['../x.md', '/view/x.md'],
    ['../../../../x.md', '/x.md'],
    ['/apps', '/apps'],
    ['https://a.example/x', 'https://a.example/x'],
    ['//a.example/x', 'http://a.example/x'],
    ['mailto:a@b.example', 'mailto:a@b.example'],
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['vbscript:x', undefined],
    ['#part', undefined],
    ['', undefined],
    ['https://', undefined],
  ])('%s leads to %s', (href, target) => {
    expect(markdownLink(href, 'threads/a (1).md')).toBe(target);
  });
});
