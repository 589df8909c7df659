import { describe, expect, it } from '@jest/globals';
import { call, sessionCall, signIn, url } from './homeport';

describe('signing in', () => {
  it('offers the two identity providers', async () => {
    expect(await (await call('/auth/providers')).json()).toEqual([
      { id: 'northwind', label: 'Northwind Workforce' },
      { id: 'globex', label: 'Globex ID' },
    ]);
  });

  it.each([
    ['ada', 'org_northwind'],
    ['hank', 'org_globex'],
    ['sam', null],
  ])('signs %s in through the hosted page', async (person, organization) => {
    const { token, cookie, landedOn } = await signIn(person, '/files/threads?x=1');
    expect(landedOn).toBe(`${url}/files/threads?x=1`);
    const session = await sessionCall('GET', '/auth/session', cookie);
    const body = (await session.json()) as { user: { organization: string | null }; expires_at: string };
    expect(body.user.organization).toBe(organization);
    expect(Date.parse(body.expires_at)).toBeGreaterThan(Date.now());
    expect(session.headers.get('cache-control')).toBe('no-store');
    expect((await call('/api/files', { token })).status).toBe(200);
  });

  it.each(['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)'])(
    'does not redirect to %s',
    async (target) => {
      expect((await signIn('ben', target)).landedOn).toBe(`${url}/`);
    },
  );

  it('ends a session permanently', async () => {
    const { cookie } = await signIn('carla');
    const signedOut = await sessionCall('POST', '/auth/sign-out', cookie);
    expect(signedOut.status).toBe(204);
    expect(signedOut.headers.get('set-cookie')).toMatch(/homeport_session=;.*Max-Age=0/);
    expect((await sessionCall('GET', '/auth/session', cookie)).status).toBe(401);
    expect((await sessionCall('POST', '/auth/sign-out', cookie)).status).toBe(204);
  });

  it('returns tokens only to pages of the same origin', async () => {
    const { cookie } = await signIn('ada');
    for (const site of ['cross-site', 'same-site', 'none']) {
      const response = await call('/auth/session', { headers: { cookie, 'sec-fetch-site': site } });
      expect(response.status).toBe(403);
    }
    expect((await call('/auth/session', { headers: { cookie } })).status).toBe(403);
    expect((await call('/auth/sign-out', { method: 'POST', headers: { cookie } })).status).toBe(403);
    expect((await sessionCall('GET', '/auth/session', '')).status).toBe(401);
  });

  it('stores the session in a cookie that scripts cannot read', async () => {
    const start = await fetch(`${url}/auth/sign-in?provider=northwind`, { redirect: 'manual' });
    expect(start.status).toBe(302);
    const location = new URL(start.headers.get('location') as string);
    expect(Object.fromEntries(location.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      identity_provider: 'northwind',
      redirect_uri: `${url}/auth/callback`,
    });
    expect(start.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  });

  it('redirects a callback without a started sign-in to the sign-in page', async () => {
    const response = await fetch(`${url}/auth/callback?code=x&state=y`, { redirect: 'manual' });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('/login?error=expired&return_to=%2F');
  });

  it('does not accept the cookie in the API', async () => {
    const { cookie } = await signIn('ada');
    expect((await call('/api/files', { headers: { cookie } })).status).toBe(401);
    expect((await call('/api/files?access_token=x')).status).toBe(401);
  });
});
