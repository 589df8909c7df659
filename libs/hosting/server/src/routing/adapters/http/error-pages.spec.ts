import { hash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { renderErrorPage, INTERNAL_ERROR, NOT_FOUND, nothingDeployed, UNAVAILABLE } from './error-pages';

describe('error pages', () => {
  it('contain only the style that their policy allows', () => {
    const { headers, body } = renderErrorPage(NOT_FOUND, true);
    const [, style = ''] = /<style>([^]*)<\/style>/.exec(String(body)) ?? [];
    const policy = headers[headers.indexOf('Content-Security-Policy') + 1];
    expect(policy).toContain(`style-src 'sha256-${hash('sha256', style, 'base64')}'`);
    expect(String(body)).not.toMatch(/<(script|img|link|iframe|object)|style=|https?:/);
    expect(style).toContain('prefers-color-scheme:dark');
  });

  it('escape the name of an app', () => {
    const page = String(renderErrorPage(nothingDeployed('</title><script>alert(1)</script>&amp;'), true).body);
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
  });

  it('are plain text for requests that are not navigations', () => {
    const { headers, body } = renderErrorPage(UNAVAILABLE, false);
    expect(String(body)).toBe('This site is temporarily unavailable. Try again in a few seconds.\n');
    expect(headers).toEqual(
      expect.arrayContaining(['Retry-After', '5', 'text/plain; charset=utf-8', 'no-store', 'noindex']),
    );
  });

  it('disclose no internal details', () => {
    expect(String(renderErrorPage(INTERNAL_ERROR, true).body)).not.toMatch(/stack|SQL|bucket/i);
  });
});
