import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SessionStore, StoredSession } from '../application/session-store.port';
import { handleOf } from '../domain/session-handle';

const MINUTE = 60_000;
/** A lease that has already expired, so that no test waits for an expiry. */
const ALREADY_OVER = -1_000;

/** The contract of every `SessionStore` adapter. Each test creates new sessions and does not remove them. */
export function sessionStoreContract(name: string, open: () => SessionStore): void {
  describe(`${name} as a session store`, () => {
    const newSession = (changes: Partial<StoredSession> = {}): StoredSession => ({
      id: randomBytes(32).toString('base64url'),
      user: { sub: 'person-1', name: 'Ada Lövelace', email: 'ada@example.com', organization: 'org-1' },
      accessToken: 'access-1',
      accessExpiresAt: new Date('2026-10-01T12:00:00.123Z'),
      refreshToken: 'refresh-1',
      createdAt: new Date('2026-10-01T11:00:00.456Z'),
      lastUsedAt: new Date('2026-10-01T11:30:00.456Z'),
      device: 'A Browser/1.0',
      ...changes,
    });
    const added = async (changes: Partial<StoredSession> = {}) => {
      const session = newSession(changes);
      await open().add(session);
      return session;
    };

    const leased = async (id: string) => (await open().acquireRenewalLease(id, MINUTE)) as Date;

    it('returns the stored session', async () => {
      const session = await added();
      expect(await open().find(session.id)).toEqual(session);
    });

    it('stores a session without a refresh token and without optional user fields', async () => {
      const session: StoredSession = {
        id: newSession().id,
        user: { sub: 'person-2' },
        accessToken: 'access-1',
        accessExpiresAt: new Date('2026-10-01T12:00:00Z'),
        createdAt: new Date('2026-10-01T11:00:00Z'),
        lastUsedAt: new Date('2026-10-01T11:00:00Z'),
        device: '',
      };
      await open().add(session);
      expect(await open().find(session.id)).toStrictEqual(session);
    });

    it('returns undefined for an unknown session', async () => {
      const { id } = await added();
      expect(await open().find(newSession().id)).toBeUndefined();
      expect(await open().find('')).toBeUndefined();
      expect(await open().find(id.toLowerCase())).toBeUndefined();
      expect(await open().find(`${id} `)).toBeUndefined();
    });

    it('grants the renewal lease to one caller only', async () => {
      const { id } = await added();
      const leases = await Promise.all(Array.from({ length: 8 }, () => open().acquireRenewalLease(id, MINUTE)));
      expect(leases.filter((each) => each instanceof Date)).toHaveLength(1);
      expect(leases.filter((each) => each === undefined)).toHaveLength(7);
      expect(await open().acquireRenewalLease(id, MINUTE)).toBeUndefined();
    });

    it('grants the renewal lease for one session only', async () => {
      const [one, other] = [await added(), await added()];
      expect(await leased(one.id)).toBeInstanceOf(Date);
      await open().release(other.id, await leased(other.id));
      expect(await open().acquireRenewalLease(one.id, MINUTE)).toBeUndefined();
    });

    it('grants no renewal lease for an unknown session', async () => {
      expect(await open().acquireRenewalLease(newSession().id, MINUTE)).toBeUndefined();
    });

    it('grants an expired lease to the next caller', async () => {
      const { id } = await added();
      expect(await open().acquireRenewalLease(id, ALREADY_OVER)).toBeInstanceOf(Date);
      expect(await open().acquireRenewalLease(id, MINUTE)).toBeInstanceOf(Date);
      expect(await open().acquireRenewalLease(id, MINUTE)).toBeUndefined();
    });

    it('does not change a session by leasing and releasing it', async () => {
      const session = await added();
      const lease = await leased(session.id);
      expect(await open().find(session.id)).toEqual(session);
      await open().release(session.id, lease);
      expect(await open().find(session.id)).toEqual(session);
      expect(await open().acquireRenewalLease(session.id, MINUTE)).toBeInstanceOf(Date);
    });

    it('replaces the tokens and ends the lease', async () => {
      const session = await added();
      const bystander = await added();
      const lease = await leased(session.id);
      const renewed = {
        ...session,
        accessToken: 'access-2',
        accessExpiresAt: new Date('2026-10-01T13:00:00.789Z'),
        refreshToken: 'refresh-2',
        lastUsedAt: new Date('2026-10-01T12:30:00.789Z'),
      };
      expect(await open().replace(renewed, lease)).toBe(true);
      expect(await open().find(session.id)).toEqual(renewed);
      expect(await open().find(bystander.id)).toEqual(bystander);
      expect(await open().acquireRenewalLease(session.id, MINUTE)).toBeInstanceOf(Date);
    });

    it('rejects replace and release with a lease that another caller has taken over', async () => {
      const session = await added();
      const expired = (await open().acquireRenewalLease(session.id, ALREADY_OVER)) as Date;
      const lease = await leased(session.id);
      expect(await open().replace({ ...session, accessToken: 'late' }, expired)).toBe(false);
      await open().release(session.id, expired);
      expect(await open().find(session.id)).toEqual(session);
      expect(await open().acquireRenewalLease(session.id, MINUTE)).toBeUndefined();
      expect(await open().replace({ ...session, accessToken: 'access-2' }, lease)).toBe(true);
      expect(await open().replace({ ...session, accessToken: 'again' }, lease)).toBe(false);
      expect(await open().find(session.id)).toMatchObject({ accessToken: 'access-2' });
    });

    it('accepts an expired lease that no other caller has taken over', async () => {
      const session = await added();
      const expired = (await open().acquireRenewalLease(session.id, ALREADY_OVER)) as Date;
      expect(await open().replace({ ...session, accessToken: 'access-2' }, expired)).toBe(true);
    });

    it('removes a session and returns it once', async () => {
      const session = await added();
      const bystander = await added();
      expect(await open().remove(session.id)).toEqual(session);
      expect(await open().find(session.id)).toBeUndefined();
      expect(await open().remove(session.id)).toBeUndefined();
      expect(await open().find(bystander.id)).toEqual(bystander);
    });

    it('returns a removed session to one caller only', async () => {
      const { id } = await added();
      const removed = await Promise.all(Array.from({ length: 8 }, () => open().remove(id)));
      expect(removed.filter((each) => each !== undefined)).toHaveLength(1);
    });

    it('lists the sessions of one person, most recently used first', async () => {
      const sub = randomBytes(8).toString('hex');
      const times = [2, 3, 1].map((hour) => new Date(`2026-10-01T0${hour}:00:00Z`));
      const own = await Promise.all(times.map((lastUsedAt) => added({ user: { sub }, lastUsedAt })));
      await added({ user: { sub: `${sub}x` } });
      const listed = await open().listBySubject(sub);
      const [second, first, third] = own.map(({ id, device, createdAt, lastUsedAt }) => {
        return { handle: handleOf(id), device, createdAt, lastUsedAt };
      });
      expect(listed).toEqual([first, second, third]);
      expect(JSON.stringify(listed)).not.toContain(own[0]?.id);
      expect(await open().listBySubject(`${sub}y`)).toEqual([]);
    });

    it('removes a session by its handle only for its person', async () => {
      const [sub, other] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
      const [own, foreign] = [await added({ user: { sub } }), await added({ user: { sub: other } })];
      expect(await open().removeByHandle(sub, handleOf(foreign.id))).toBeUndefined();
      expect(await open().removeByHandle(sub, own.id)).toBeUndefined();
      expect(await open().removeByHandle(sub, '')).toBeUndefined();
      expect(await open().find(foreign.id)).toEqual(foreign);
      expect(await open().removeByHandle(sub, handleOf(own.id))).toMatchObject({ refreshToken: 'refresh-1' });
      expect(await open().removeByHandle(sub, handleOf(own.id))).toBeUndefined();
      expect(await open().find(own.id)).toBeUndefined();
    });

    it('removes all sessions of one person and returns their refresh tokens', async () => {
      const [sub, other] = [randomBytes(8).toString('hex'), randomBytes(8).toString('hex')];
      const own = [await added({ user: { sub } }), await added({ user: { sub }, refreshToken: 'refresh-2' })];
      const foreign = await added({ user: { sub: other } });
      const removed = await open().removeBySubject(sub);
      expect(removed.map(({ refreshToken }) => refreshToken).toSorted()).toEqual(['refresh-1', 'refresh-2']);
      expect(await Promise.all(own.map(({ id }) => open().find(id)))).toEqual([undefined, undefined]);
      expect(await open().removeBySubject(sub)).toEqual([]);
      expect(await open().find(foreign.id)).toEqual(foreign);
    });

    it('gives the sessions of a person to one of several callers that remove them', async () => {
      const sub = randomBytes(8).toString('hex');
      for (let count = 0; count < 4; count++) await added({ user: { sub } });
      const removed = await Promise.all(Array.from({ length: 4 }, () => open().removeBySubject(sub)));
      expect(removed.flat()).toHaveLength(4);
    });

    it('records a later use and ignores an earlier one', async () => {
      const session = await added();
      const [before, after] = [new Date('2026-10-01T11:30:00Z'), new Date('2026-10-01T11:45:00.789Z')];
      await open().recordUse(session.id, before);
      expect(await open().find(session.id)).toEqual(session);
      await open().recordUse(session.id, after);
      await open().recordUse(newSession().id, after);
      expect(await open().find(session.id)).toEqual({ ...session, lastUsedAt: after });
    });

    it('keeps the renewal lease when a use is recorded', async () => {
      const session = await added();
      const lease = await leased(session.id);
      await open().recordUse(session.id, new Date('2026-10-01T11:45:00Z'));
      expect(await open().acquireRenewalLease(session.id, MINUTE)).toBeUndefined();
      expect(await open().replace(session, lease)).toBe(true);
    });

    it('removes idle sessions', async () => {
      const long = await added({ lastUsedAt: new Date('2001-01-01T00:00:00Z') });
      const lately = await added({ lastUsedAt: new Date('2001-01-01T00:00:01Z') });
      await open().removeIdle(long.lastUsedAt);
      expect(await open().find(long.id)).toBeUndefined();
      expect(await open().find(lately.id)).toEqual(lately);
    });

    it('does not restore a removed session', async () => {
      const session = await added();
      const lease = await leased(session.id);
      await open().remove(session.id);
      expect(await open().replace(session, lease)).toBe(false);
      await open().release(session.id, lease);
      expect(await open().find(session.id)).toBeUndefined();
      expect(await open().acquireRenewalLease(session.id, MINUTE)).toBeUndefined();
    });
  });
}
