import { describe, expect, it } from '@jest/globals';
import { clearSiteDataHeaders, isStaleServiceWorker } from './clear-site-data';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const OWNER = { appId: 'a1', clearsDataUntil: new Date(NOW + 60_000) };
const CLEAR = ['clear-site-data', '"cache", "storage"'];
const MARK = ['set-cookie', 'homeport-cleared=a1; Path=/; Max-Age=60; HttpOnly; SameSite=Lax'];
const WORKER = { 'service-worker': 'script' };
const MARKED = { cookie: 'other=1; homeport-cleared=a1' };
const OTHER_MARKS = ['homeport-cleared=a2', 'homeport-cleared=a10', 'x-homeport-cleared=a1', ''];

describe('clearSiteDataHeaders', () => {
  it('clears a browser and marks it', () => {
    expect(clearSiteDataHeaders(OWNER, {}, NOW)).toEqual([CLEAR, MARK]);
    for (const cookie of OTHER_MARKS) expect(clearSiteDataHeaders(OWNER, { cookie }, NOW)).toEqual([CLEAR, MARK]);
  });

  it('sends nothing to a marked browser, nor to any browser after the deadline', () => {
    expect(clearSiteDataHeaders(OWNER, MARKED, NOW)).toEqual([]);
    expect(clearSiteDataHeaders(OWNER, {}, NOW + 60_000)).toEqual([]);
  });
});

describe('isStaleServiceWorker', () => {
  it('distinguishes workers of the former owner from those of the new one', () => {
    expect(isStaleServiceWorker(OWNER, WORKER, false, NOW)).toBe(true);
    expect(isStaleServiceWorker(OWNER, WORKER, true, NOW)).toBe(true);
    expect(isStaleServiceWorker(OWNER, { ...WORKER, ...MARKED }, false, NOW)).toBe(true);
    expect(isStaleServiceWorker(OWNER, { ...WORKER, ...MARKED }, true, NOW)).toBe(false);
  });

  it('applies only to worker scripts, and only until the deadline', () => {
    expect(isStaleServiceWorker(OWNER, {}, false, NOW)).toBe(false);
    expect(isStaleServiceWorker(OWNER, WORKER, false, NOW + 60_000)).toBe(false);
  });
});
