import { describe, expect, it } from '@jest/globals';
import {
  ActiveDeployChanged,
  ActiveDeployNotDeletable,
  DeployNotReady,
  NothingToRollBack,
} from '../../deploys/domain/deploys.errors';
import { App } from './app';
import { SubdomainTaken } from './apps.errors';
import { DAY_MS, type FormerOwner, formerOwnerRetentionDays, type NameHistory } from './former-owner';
import { parseSubdomain } from '../../shared/domain/subdomain';

const readAt = new Date('2026-06-01T12:00:00Z');
const daysAgo = (days: number) => new Date(readAt.getTime() - days * DAY_MS);
const quarantine = { days: 30, maxNames: 2 };

const app = new App({
  id: '00000000-0000-4000-8000-000000000001',
  organization: 'northwind',
  name: 'My Shop',
  subdomain: parseSubdomain('my-shop', []),
  type: 'static',
  deployCount: 0,
  activeDeployId: null,
  clearsDataUntil: undefined,
  deletedDeploys: 0,
  createdAt: readAt,
});
const appOn = (activeDeployId: string | null) => new App({ ...app.facts, activeDeployId });
const history = (changes: Partial<NameHistory> = {}): NameHistory => ({
  readAt,
  recordOwner: undefined,
  formerOwner: undefined,
  ...changes,
});
const formerOwner = (changes: Partial<FormerOwner> = {}): FormerOwner => ({
  organization: 'globex',
  releasedAt: daysAgo(29),
  clearsDataUntil: undefined,
  laterReleases: 0,
  ...changes,
});

describe('App', () => {
  it('takes over a name without a past', () => {
    expect(app.takeOverName(history(), quarantine)).toEqual({});
    expect(app.takeOverName(history({ recordOwner: 'northwind' }), quarantine)).toEqual({});
  });

  it('does not take over a name while a DNS record of another organization may exist', () => {
    expect(() => app.takeOverName(history({ recordOwner: 'globex' }), quarantine)).toThrow(SubdomainTaken);
  });

  it('does not take over a name in quarantine', () => {
    const past = history({ formerOwner: formerOwner() });
    expect(() => app.takeOverName(past, quarantine)).toThrow(SubdomainTaken);
  });

  it.each([
    ['the quarantine has ended', formerOwner({ releasedAt: daysAgo(30) }), quarantine],
    ['the former owner has too many newer names in quarantine', formerOwner({ laterReleases: 2 }), quarantine],
    ['the quarantine is off', formerOwner({ releasedAt: readAt }), { ...quarantine, days: 0 }],
  ])('takes over a name when %s, and clears the data of its former owner for a year', (_, former, rule) => {
    const changes = app.takeOverName(history({ formerOwner: former }), rule);
    expect(changes).toEqual({ clearsDataUntil: daysAgo(-365) });
  });

  it('takes its own name back, with the deadline of an earlier owner', () => {
    const clearsDataUntil = daysAgo(-100);
    const past = history({ formerOwner: formerOwner({ organization: 'northwind', clearsDataUntil }) });
    expect(app.takeOverName(past, quarantine)).toEqual({ clearsDataUntil });
  });

  it('counts a deploy, and activates it if requested', () => {
    expect(app.addDeploy('a', { activated: false })).toEqual({ deployCount: 1 });
    expect(app.addDeploy('a', { activated: true })).toEqual({ deployCount: 1, activeDeployId: 'a' });
  });

  it('activates only a deploy that is ready, and only once', () => {
    expect(appOn(null).activate({ id: 'a', status: 'ready' })).toEqual({ activeDeployId: 'a' });
    expect(appOn('a').activate({ id: 'a', status: 'ready' })).toEqual({});
    for (const status of ['uploading', 'processing', 'failed', 'archived'] as const) {
      expect(() => appOn(null).activate({ id: 'a', status })).toThrow(DeployNotReady);
    }
  });

  it('rolls back to the target when both deploys are the expected ones', () => {
    expect(appOn('b').rollBack('a', {})).toEqual({ activeDeployId: 'a' });
    expect(appOn('b').rollBack('a', { from: 'B', to: 'A' })).toEqual({ activeDeployId: 'a' });
    expect(() => appOn('b').rollBack(undefined, {})).toThrow(NothingToRollBack);
    expect(() => appOn('b').rollBack(undefined, { from: 'a' })).toThrow(ActiveDeployChanged);
    expect(() => appOn('b').rollBack('a', { to: 'b' })).toThrow(ActiveDeployChanged);
  });

  it('does not delete the active deploy, in any spelling of its id', () => {
    expect(() => appOn('b').assertDeletable('B')).toThrow(ActiveDeployNotDeletable);
    expect(() => appOn('b').assertDeletable('a')).not.toThrow();
    expect(() => appOn(null).assertDeletable('a')).not.toThrow();
  });

  it('remembers a former owner for a year, or for the quarantine when it is longer', () => {
    expect([30, 400].map((days) => formerOwnerRetentionDays({ days, maxNames: 1 }))).toEqual([365, 400]);
  });
});
