import { describe, expect, it } from '@jest/globals';
import { checkDelay } from './check-schedule';
import { DomainClaim, type DomainClaimFacts, type DomainFinding } from './domain-claim';
import { parseDomainName } from './domain-name';

const START = new Date('2026-11-24T00:00:00Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const after = (ms: number) => new Date(START.getTime() + ms);

const PENDING: DomainClaimFacts = {
  id: '0192f0a4-7b1c-4d2e-8f3a-5b6c7d8e9f00',
  organization: 'northwind',
  kind: 'hostname',
  name: parseDomainName('www.example.com'),
  appId: '0192f0a4-7b1c-4d2e-8f3a-5b6c7d8e9f01',
  token: 'token',
  createdAt: START,
  verifiedAt: undefined,
  failingSince: undefined,
  noticedAt: undefined,
  checkedAt: undefined,
  suspendedAt: undefined,
  releasedAt: undefined,
  routing: 'unknown',
  certificate: 'none',
  isPrimary: false,
  redirectTo: undefined,
  hsts: false,
  priceUsd: 10,
  cardVersion: '2026-11',
  nextCheckAt: START,
};
const ACTIVE: DomainClaimFacts = { ...PENDING, verifiedAt: START, routing: 'here', certificate: 'active' };

const HERE: DomainFinding = { proof: 'present', routing: 'here' };
const GONE: DomainFinding = { proof: 'absent', routing: 'here' };
const SILENT: DomainFinding = { proof: 'unknown', routing: 'unknown' };

/** Applies findings at their times. */
function checked(facts: DomainClaimFacts, ...findings: readonly (readonly [number, DomainFinding])[]): DomainClaim {
  return findings.reduce(
    (claim, [ms, finding]) => new DomainClaim({ ...claim.facts, ...claim.applyFinding(finding, after(ms), 0.5) }, true),
    new DomainClaim(facts, true),
  );
}

describe('a claim', () => {
  it('is pending until its proof, route and certificate are there', () => {
    expect(checked(PENDING).status).toBe('pending');
    const verified = checked(PENDING, [HOUR, HERE]);
    expect([verified.ownership, verified.status]).toEqual(['verified', 'pending']);
    expect(new DomainClaim({ ...verified.facts, certificate: 'active' }, true).status).toBe('active');
    expect(new DomainClaim(verified.facts, false).status).toBe('active');
  });

  it('expires after seven days without a proof', () => {
    expect(checked(PENDING, [7 * DAY - 1, SILENT]).status).toBe('pending');
    const expired = checked(PENDING, [7 * DAY, GONE]);
    expect([expired.status, expired.facts.nextCheckAt]).toEqual(['released', undefined]);
  });

  it('needs attention, gets a notice, is suspended and released while the proof is missing', () => {
    const missing = checked(ACTIVE, [DAY, GONE]);
    expect([missing.ownership, missing.status, missing.isServed]).toEqual(['failing', 'attention', true]);
    expect(checked(ACTIVE, [DAY, GONE], [4 * DAY - 1, GONE]).facts.noticedAt).toBeUndefined();
    const noticed = checked(ACTIVE, [DAY, GONE], [4 * DAY, GONE]);
    expect(noticed.facts.noticedAt).toEqual(after(4 * DAY));
    expect([missing.deadlines, noticed.deadlines]).toEqual([
      undefined,
      { suspension: after(8 * DAY), release: after(31 * DAY) },
    ]);
    const suspended = checked(ACTIVE, [DAY, GONE], [8 * DAY, GONE]);
    expect([suspended.status, suspended.isServed, suspended.mayHaveCertificate]).toEqual(['suspended', false, false]);
    expect(suspended.deadlines).toEqual({ suspension: undefined, release: after(31 * DAY) });
    expect(checked(ACTIVE, [DAY, GONE], [31 * DAY, GONE]).ownership).toBe('lost');
  });

  it('recovers when the proof is back, also after a suspension', () => {
    const back = checked(ACTIVE, [DAY, GONE], [8 * DAY, GONE], [9 * DAY, HERE]);
    expect([back.status, back.ownership, back.facts.noticedAt]).toEqual(['active', 'verified', undefined]);
  });

  it('is not lost to an outage', () => {
    expect(checked(ACTIVE, [DAY, SILENT], [400 * DAY, SILENT]).status).toBe('active');
    // Time in which no server answers does not count.
    const paused = checked(ACTIVE, [DAY, GONE], [2 * DAY, GONE], [60 * DAY, SILENT], [61 * DAY, GONE]);
    expect(paused.status).toBe('attention');
  });

  it('keeps its routing when no server answers, and needs attention when it leads elsewhere', () => {
    expect(checked(ACTIVE, [DAY, SILENT]).facts.routing).toBe('here');
    expect(checked(ACTIVE, [DAY, { proof: 'present', routing: 'partly' }]).status).toBe('attention');
  });

  it('ends when it is released', () => {
    const released = new DomainClaim({ ...ACTIVE, ...new DomainClaim(ACTIVE, true).release(after(DAY)) }, true);
    expect([released.status, released.ownership, released.isServed]).toEqual(['released', 'lost', false]);
    expect(released.release(after(2 * DAY))).toEqual({});
  });
});

describe('checks', () => {
  const waiting = { createdAt: START, verifiedAt: undefined, troubleSince: undefined, isSettled: false };
  const minutes = (claim: Parameters<typeof checkDelay>[0], ms: number) => checkDelay(claim, after(ms), 0.5) / 60_000;

  it('are frequent at first, and hourly later', () => {
    expect(minutes(waiting, 0)).toBe(0.25);
    expect(minutes(waiting, 10 * 60_000)).toBe(1);
    expect(minutes(waiting, 5 * HOUR)).toBe(30);
    expect(minutes(waiting, 6 * DAY)).toBe(60);
  });

  it('are daily, at spread times, when all is in order', () => {
    const settled = { ...waiting, verifiedAt: START, isSettled: true };
    expect(checkDelay(settled, after(DAY), 0)).toBe(0.9 * DAY);
    expect(checkDelay(settled, after(DAY), 1)).toBeCloseTo(1.1 * DAY);
    // Claims of the same age are spread too: one outage must not make them all due at once.
    expect(checkDelay(waiting, after(5 * HOUR), 0)).toBeLessThan(checkDelay(waiting, after(5 * HOUR), 0.9));
  });

  it('are daily when a verified name has not led here for a week', () => {
    expect(minutes({ ...waiting, verifiedAt: START }, 8 * DAY)).toBe(24 * 60);
  });

  it('are frequent again when the proof is missing', () => {
    expect(minutes({ ...waiting, verifiedAt: START, troubleSince: after(9 * DAY) }, 9 * DAY)).toBe(0.25);
    expect(minutes({ ...waiting, verifiedAt: START, troubleSince: START }, 6 * DAY)).toBe(60);
    expect(minutes({ ...waiting, verifiedAt: START, troubleSince: START }, 8 * DAY)).toBe(24 * 60);
  });
});
