import { describe, expect, it } from '@jest/globals';
import { clearFormerData, clearReleasedName } from './former-data';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const OWNER = { appId: 'a1', clearsDataUntil: new Date(NOW + 60_000) };
const CLEAR = ['clear-site-data', '"cache", "storage"'];
const MARK = ['set-cookie', 'homeport-cleared=a1; Path=/; Max-Age=60; HttpOnly; SameSite=Lax'];
const WORKER = { 'service-worker': 'script' };
const marked = { cookie: 'other=1; homeport-cleared=a1' };

const cleared = (request: object, answer: { isNavigation?: boolean; isScript?: boolean } = {}, now = NOW) =>
  clearFormerData(OWNER, request, { isNavigation: false, isScript: false, ...answer }, now);

describe('clearFormerData', () => {
  it('clears at a navigation and marks the browser', () => {
    expect(cleared({}, { isNavigation: true })).toEqual([CLEAR, MARK]);
  });

  it('clears at the request for a worker script', () => {
    expect(cleared(WORKER, { isScript: true })).toEqual([CLEAR, MARK]);
    expect(cleared(WORKER)).toEqual([CLEAR, MARK]);
  });

  it('leaves a browser alone that is marked for this app', () => {
    expect(cleared(marked, { isNavigation: true })).toEqual([]);
    expect(cleared({ ...WORKER, ...marked }, { isScript: true })).toEqual([]);
    for (const cookie of ['homeport-cleared=a2', 'homeport-cleared=a10', 'x-homeport-cleared=a1', '']) {
      expect(cleared({ cookie }, { isNavigation: true })).toEqual([CLEAR, MARK]);
    }
  });

  it('clears for a worker that the owner does not serve, whatever the mark says', () => {
    expect(cleared({ ...WORKER, ...marked })).toEqual([CLEAR]);
  });

  it('leaves everything else alone, and everything when the time is over', () => {
    expect(cleared({})).toEqual([]);
    expect(cleared({}, { isNavigation: true }, NOW + 60_000)).toEqual([]);
    expect(cleared(WORKER, {}, NOW + 60_000)).toEqual([]);
  });
});

describe('clearReleasedName', () => {
  it('clears at navigations and requests for worker scripts', () => {
    expect(clearReleasedName({}, true)).toEqual([CLEAR]);
    expect(clearReleasedName(WORKER, false)).toEqual([CLEAR]);
    expect(clearReleasedName({}, false)).toEqual([]);
  });
});
