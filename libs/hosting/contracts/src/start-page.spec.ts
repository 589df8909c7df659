import { describe, expect, it } from '@jest/globals';
import { parseRedirects } from './redirect-rules';
import { startPageOf } from './start-page';

const of = (redirects: string) => startPageOf({ redirects: parseRedirects(redirects).rules, headers: [] });

describe('startPageOf', () => {
  it.each(['', '/old / 301', '/ /lost 404', '/about /about.html 200'])(
    'needs index.html with the rules "%s"',
    (rules) => {
      expect(of(rules)).toEqual({ isRedirected: false, files: ['index.html'] });
    },
  );

  it.each([
    ['/ /app/home.html 200', ['index.html', 'app/home.html', 'app/home.html.html', 'app/home.html/index.html']],
    ['/* /shell 200', ['index.html', 'shell', 'shell.html', 'shell/index.html']],
    ['/ /docs/ 200', ['index.html', 'docs/index.html', 'docs.html']],
    ['/ /%E4 200', ['index.html']],
    ['/ /_headers 200', ['index.html']],
  ])('accepts the files that "%s" serves instead', (rules, files) => {
    expect(of(rules)).toEqual({ isRedirected: false, files });
  });

  it.each(['/ /docs/', '/ https://example.com/ 302', '/* /docs/:splat 301'])('accepts the redirect "%s"', (rules) => {
    expect(of(rules)).toEqual({ isRedirected: true, files: ['index.html'] });
  });

  it('ignores rules with conditions on the query', () => {
    expect(of('/ id=:id /item/:id 301')).toEqual({ isRedirected: false, files: ['index.html'] });
  });
});
