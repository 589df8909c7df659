import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CompiledRedirects } from './compiled-redirects';
import { parseRedirects } from './redirect-rules';

const reasonsOf = (text: string) => parseRedirects(text).problems.map(({ line, reason }) => `${line}: ${reason}`);

/** Applies a file of rules that has no problems. */
function redirectOf(text: string, path: string, query = '') {
  const { rules, problems } = parseRedirects(text);
  expect(problems).toEqual([]);
  return new CompiledRedirects(JSON.parse(JSON.stringify(rules))).find(path, query);
}
const to = (location: string, status = 301) => ({ status, location });

describe('parseRedirects', () => {
  it('reads lines, and ignores comments and white space', () => {
    const text = '\uFEFF# moved\r\n\n  /a   /b\t302  # for now\r/c https://example.org/x#y\n/* /index.html 200';
    expect(parseRedirects(text)).toEqual({
      rules: [
        { from: '/a', to: '/b', status: 302 },
        { from: '/c', to: 'https://example.org/x#y', status: 301 },
        { from: '/*', to: '/index.html', status: 200 },
      ],
      problems: [],
    });
  });

  it('skips and reports invalid lines, and keeps the others', () => {
    const { rules, problems } = parseRedirects('/a /b\n/c\n/d /e 299\n/f /g');
    expect(rules.map(({ from }) => from)).toEqual(['/a', '/f']);
    expect(problems).toEqual([
      { path: '_redirects', line: 2, reason: expect.stringContaining('no target') },
      { path: '_redirects', line: 3, reason: expect.stringContaining('301, 302, 303, 307, 308, 200, 404') },
    ]);
  });

  it.each([
    ['/a', /no target/],
    ['/a b c', /no target/],
    ['/a foo /b', /"name=value"/],
    ['a /b', /does not start with "\/"/],
    ['https://x.example/a /b', /full URL/],
    ['/a?x=1 /b', /"\?" or "#"/],
    ['/%zz /b', /"%"/],
    ['/a/*/b /c', /"\*"/],
    ['/a* /c', /"\*"/],
    ['/a /b 301!', /Forced/],
    ['/a /b 200!', /Forced/],
    ['/a /b Country=de', /country/],
    ['/a /b 302 Language=de', /after the status/],
    ['/a /b 305', /status must be one of/],
    ['/a /b 3010', /status must be one of/],
    ['/a https://x.example/ 200', /Only paths/],
    ['/a https://x.example/ 404', /Only paths/],
    ['/a //x.example/', /starts with "\/\/"/],
    ['/a /\\x.example', /backslash/],
    ['/a /b\u0001c', /control character/],
    ['/a javascript://x', /neither a path/],
    ['/a ftp://x.example/', /neither a path/],
    ['/a https://u:p@x.example/', /user name/],
    ['/* https://:splat', /cannot contain placeholders/],
    ['/:h/x https://:h.example/', /cannot contain placeholders/],
    ['/a https://[x]/', /not valid/],
    ['/a /:b', /":b"/],
    ['/a /b/:splat', /":splat"/],
    ['/a /b?x=:id', /":id"/],
    ['/a /a', /points to itself/],
    ['/a /a/ 302', /points to itself/],
    ['/a/ /a#x', /points to itself/],
    ['/* /:splat', /points to itself/],
    ['/b/:x/* /b/:x/:splat', /points to itself/],
    [`/a /${'b'.repeat(1000)}`, /longer than 1,000/],
  ])('rejects %s', (line, reason) => {
    expect(reasonsOf(`# first\n${line}`)).toEqual([expect.stringMatching(reason)]);
    expect(reasonsOf(`# first\n${line}`)[0]).toMatch(/^2: /);
  });

  it('accepts 2,000 rules, and reports a hundred problems', () => {
    const lines = Array.from({ length: 2_001 }, (_, i) => `/a${i} /b`);
    expect(parseRedirects(lines.slice(0, 2_000).join('\n')).problems).toEqual([]);
    const { rules, problems } = parseRedirects([...lines, '/x'].join('\n'));
    expect(rules).toHaveLength(2_000);
    expect(problems).toEqual([expect.objectContaining({ line: 2_001 })]);
    expect(parseRedirects('x\n'.repeat(100_000)).problems).toHaveLength(101);
    expect(parseRedirects('x'.repeat(5_000_000)).problems).toHaveLength(1);
  });

  it('accepts any input and finds only safe targets', () => {
    const word = fc.constantFrom(
      '/',
      'a',
      ':',
      '*',
      ' ',
      '\n',
      '#',
      '=',
      '%',
      '2',
      '00',
      '\\',
      'https://',
      '!',
      ':splat',
    );
    fc.assert(
      fc.property(
        fc.string({ unit: word }),
        fc.string({ unit: word }),
        fc.string({ unit: word }),
        (text, path, query) => {
          const found = new CompiledRedirects(parseRedirects(text).rules).find(`/${path}`, query);
          if (!found) return;
          const target = 'path' in found ? found.path : found.location;
          expect(target).toMatch(/^(https?:\/\/[^/?#@]|\/(?!\/))[\x21-\x7e]*$|^\/$/);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('redirects', () => {
  it.each([
    ['/a /b', '/a', to('/b')],
    ['/a /b', '/a/', to('/b')],
    ['/a/ /b', '/a', to('/b')],
    ['/a /b', '/A', undefined],
    ['/a /b', '/a/c', undefined],
    ['/a /b 308', '/a', to('/b', 308)],
    ['/über /straße', '/%C3%BCber', to('/stra%C3%9Fe')],
    ['/%C3%BCber /b', '/%c3%bcber', to('/b')],
    ['/a%20b /c', '/a%20b', to('/c')],
    ['/ /b', '/', to('/b')],
    ['/* /index.html 200', '/', { status: 200, path: '/index.html' }],
    ['/* /index.html 200', '/x/y', { status: 200, path: '/index.html' }],
    ['/* /oh/no.html 404', '/x', { status: 404, path: '/oh/no.html' }],
    ['/old/* /new/:splat', '/old/x/y', to('/new/x/y')],
    ['/old/* /new/:splat', '/old', to('/new/')],
    ['/old/* /new', '/older', undefined],
    ['/:y/:m/:d/:slug /news/:slug?d=:y-:m-:d', '/2026/11/22/hi%20you', to('/news/hi%20you?d=2026-11-22')],
    ['/:a/x /b/:a 200', '/%C3%A4%2F/x', { status: 200, path: '/b/%C3%A4%2F' }],
    ['/w/* /wiki/Special:Search', '/w/x', to('/wiki/Special:Search')],
    ['/a https://example.org', '/a', to('https://example.org/')],
    ['/a/* https://example.org:8443/b/:splat', '/a/c/d', to('https://example.org:8443/b/c/d')],
    ['/a /b\n/a /c', '/a', to('/b')],
    ['/* /c\n/a /b', '/a', to('/c')],
    ['/a /b\n/* /c', '/a', to('/b')],
    ['/:x /c\n/a /b\n/* /d', '/a', to('/c')],
    ['/a/:x /c\n/a /b\n/* /d', '/a', to('/b')],
    ['/a /b', '/%zz', undefined],
    ['/* /b', '/%zz', undefined],
    ['/* /b', '/b', undefined],
    ['/* /b', '', undefined],
    ['/* /b', '*', undefined],
    ['/__proto__ /b', '/__proto__', to('/b')],
  ])('%j redirects %s', (text, path, found) => {
    expect(redirectOf(text, path)).toEqual(found);
  });

  it('checks the query', () => {
    const text = '/store id=:id /blog/:id 301\n/store tag=red /red\n/store a=:a b=:b /:b/:a\n/store /all';
    expect(redirectOf(text, '/store', 'id=my%20post')).toEqual(to('/blog/my%20post'));
    expect(redirectOf(text, '/store', 'x=1&id=%2F%2Fevil')).toEqual(to('/blog/%2F%2Fevil'));
    expect(redirectOf(text, '/store', 'tag=red')).toEqual(to('/red'));
    expect(redirectOf(text, '/store', 'tag=blue')).toEqual(to('/all?tag=blue'));
    expect(redirectOf(text, '/store', 'b=1&a=2')).toEqual(to('/1/2'));
    expect(redirectOf(text, '/store')).toEqual(to('/all'));
    expect(redirectOf(text, '/store', 'tag=red&tag=blue')).toEqual(to('/red'));
    expect(redirectOf(text, '/store', 'tag=blue&tag=red')).toEqual(to('/all?tag=blue&tag=red'));
  });

  it('decodes only encoded parameters, regardless of how many rules use them', () => {
    const rules = new CompiledRedirects(
      parseRedirects(Array.from({ length: 500 }, (_, i) => `/s a=${i} /b/${i}`).join('\n')).rules,
    );
    let decoded = 0;
    const Params = globalThis.URLSearchParams;
    globalThis.URLSearchParams = class extends Params {
      constructor(...args: ConstructorParameters<typeof Params>) {
        super(...args);
        decoded += 1;
      }
    };
    try {
      expect(rules.find('/s', 'b=%41&a=499')).toEqual(to('/b/499'));
    } finally {
      globalThis.URLSearchParams = Params;
    }
    expect(decoded).toBe(1);
  });

  it('passes the query on when the target has none', () => {
    expect(redirectOf('/a /b', '/a', 'x=1&y=%20')).toEqual(to('/b?x=1&y=%20'));
    expect(redirectOf('/a /b?z=1', '/a', 'x=1')).toEqual(to('/b?z=1'));
    expect(redirectOf('/a https://example.org/#top', '/a', 'x=1')).toEqual(to('https://example.org/?x=1#top'));
    expect(redirectOf('/a /b 200', '/a', 'x=1')).toEqual({ status: 200, path: '/b' });
  });

  it.each([
    '/x//evil.example',
    '/x///evil.example/a',
    '/x/%2Fevil.example',
    '/x/%2F%2Fevil.example',
    '/x/%5Cevil.example',
    '/x/\\evil.example',
    '/x//\\evil.example',
    '/x/.//evil.example',
    '/x/a/..//evil.example',
    '/x/%2e%2e//evil.example',
    '/x/%09//evil.example',
    '/x/%0d%0aSet-Cookie:a=b',
    '/x/@evil.example',
    '/x/https:%2F%2Fevil.example',
    '/x/a%00b',
    '/x/%e2%80%ae',
  ])('keeps %s on the site', (path) => {
    for (const target of ['/:splat', '/./:splat', '/a/../:splat', '/:splat#:splat', '/b/:splat?c=:splat']) {
      const found = redirectOf(`/x/* ${target} 302`, path, 'a=\r\nb: c');
      const location = found && 'location' in found ? found.location : '';
      expect(location).toMatch(/^\/(?![/\\])[\x21-\x7e]*$/);
      expect(new URL(location, 'https://app.example').origin).toBe('https://app.example');
      const served = redirectOf(`/x/* ${target.replace(/[?#].*/, '')} 200`, path);
      expect(served && 'path' in served && served.path).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
    }
    const away = redirectOf('/x/* https://example.org/:splat', path);
    expect(new URL(away && 'location' in away ? away.location : '').origin).toBe('https://example.org');
  });
});
