// Outside a build, Angular's published code needs the compiler at run time.
import '@angular/compiler';
import { describe, expect, it } from '@jest/globals';
import { resolveMarkdownLink } from './markdown-link';

const KEY = 'threads/a (1).md';

describe('resolveMarkdownLink', () => {
  it.each([
    ['b.md', '/view/threads/b.md', 'threads/b.md'],
    ['./b%20c.md', '/view/threads/b%20c.md', 'threads/b c.md'],
    ['../x.md#part', '/view/x.md#part', 'x.md'],
    ['../../../../x.md', '/view/x.md', 'x.md'],
    ['/x.md', '/view/x.md', 'x.md'],
    ['\\x.md', '/view/x.md', 'x.md'],
    ['/view/x.md?view=raw', '/view/x.md?view=raw', 'x.md'],
    ['http:x.md', '/view/threads/x.md', 'threads/x.md'],
    ['100%%20(a).md', '/view/threads/100%25%20(a).md', 'threads/100% (a).md'],
    ['/view/100%.md', '/view/100%.md', '100%.md'],
    ['%ff', '/view/threads/%25ff', 'threads/%ff'],
    [
      '100%25%20(final)%20%232%3B%20emoji%20%F0%9F%8E%89%3F.md',
      '/view/threads/100%25%20(final)%20%232%3B%20emoji%20%F0%9F%8E%89%3F.md',
      'threads/100% (final) #2; emoji 🎉?.md',
    ],
  ])('resolves %s to a file', (href, address, key) => {
    expect(resolveMarkdownLink(href, KEY)).toEqual({ kind: 'file', address, key });
  });

  it.each([
    ['docs/', '/files/threads/docs'],
    ['..', '/files'],
    ['/files/threads', '/files/threads'],
    ['/edit/a.md', '/edit/a.md'],
  ])('resolves %s to a page of this app', (href, address) => {
    expect(resolveMarkdownLink(href, KEY)).toEqual({ kind: 'page', address });
  });

  it.each([
    ['https://a.example/x', 'https://a.example/x', 'a.example'],
    ['//a.example/x', 'http://a.example/x', 'a.example'],
    ['mailto:a@b.example', 'mailto:a@b.example', ''],
  ])('resolves %s to another site', (href, address, host) => {
    expect(resolveMarkdownLink(href, KEY)).toEqual({ kind: 'elsewhere', address, host });
  });

  it.each(['javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', '', ' ', 'https://'])(
    'does not resolve %j',
    (href) => {
      expect(resolveMarkdownLink(href, KEY)).toBeUndefined();
    },
  );

  it('resolves fragments of the same file', () => {
    expect(resolveMarkdownLink('#a%20b', KEY)).toEqual({ kind: 'part', fragment: 'a b' });
    expect(resolveMarkdownLink('#%', KEY)).toEqual({ kind: 'part', fragment: '%' });
  });

  it('keeps the workspace segment', () => {
    expect(resolveMarkdownLink('/x.md', 'workspace/threads/a.md')).toMatchObject({ key: 'workspace/x.md' });
    expect(resolveMarkdownLink('../', 'workspace/threads/a.md')).toMatchObject({ address: '/files' });
  });
});
