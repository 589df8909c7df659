import { NO_RULES, parseRedirects } from '@homeport/hosting/contracts';
import { describe, expect, it } from '@jest/globals';
import { decideActivation, hasStartPage } from './activation';

const LIVE = { activated: true, reason: null };
const BROKEN = { hasStartPage: false, liveHasStartPage: true };

describe('decideActivation', () => {
  it('holds back a deploy that takes the start page of a working site away', () => {
    expect(decideActivation('when-safe', BROKEN)).toEqual({ activated: false, reason: 'no-start-page' });
  });

  it.each([
    { hasStartPage: true, liveHasStartPage: true },
    { hasStartPage: true, liveHasStartPage: false },
    { hasStartPage: false, liveHasStartPage: false },
  ])('activates a deploy that takes nothing away: %j', (pages) => {
    expect(decideActivation('when-safe', pages)).toEqual(LIVE);
  });

  it('activates any deploy when the request insists', () => {
    expect(decideActivation('always', BROKEN)).toEqual(LIVE);
  });

  it.each([BROKEN, { hasStartPage: true, liveHasStartPage: true }])('activates none unasked: %j', (pages) => {
    expect(decideActivation('never', pages)).toEqual({ activated: false, reason: 'not-requested' });
  });
});

describe('hasStartPage', () => {
  const rules = (redirects: string) => ({ ...NO_RULES, redirects: parseRedirects(redirects).rules });

  it.each([
    [['index.html'], '', true],
    [['docs/index.html', 'about.html'], '', false],
    [['home.html'], '/ /home 200', true],
    [['about.html'], '/ /home 200', false],
    [['about.html'], '/ /about', true],
  ])('of the files %j with the rules "%s" is %s', (paths, redirects, expected) => {
    expect(hasStartPage(new Set(paths), rules(redirects))).toBe(expected);
  });
});
