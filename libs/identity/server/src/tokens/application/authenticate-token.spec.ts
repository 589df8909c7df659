import { describe, expect, it, jest } from '@jest/globals';
import { FakeClock } from '../../testing/fake-clock';
import { newToken } from '../../testing/token-fixtures';
import { TokenExpired, TokenInvalid } from '../../domain/identity.errors';
import { InMemoryTokenRepository } from '../adapters/memory/in-memory-token-repository';
import { newTokenSecret } from '../domain/token-secret';
import { AuthenticateToken, USE_INTERVAL_MS } from './authenticate-token';

function fixture() {
  const tokens = new InMemoryTokenRepository();
  const clock = new FakeClock();
  const monotonic = { now: 1_000 };
  const failures: unknown[] = [];
  const find = jest.spyOn(tokens, 'findByHash');
  const recordUse = jest.spyOn(tokens, 'recordUse');
  const authenticate = new AuthenticateToken({
    tokens,
    clock,
    monotonicNow: () => monotonic.now,
    reportFailure: (error) => failures.push(error),
  });
  return { tokens, clock, monotonic, failures, find, recordUse, authenticate };
}

describe('AuthenticateToken', () => {
  it('returns the actor of an organization token, of a personal token and of a pipeline', async () => {
    const { tokens, authenticate } = fixture();
    const organization = newToken({ name: 'Deploys', scopes: ['deploys:write'], appId: 'app-1' });
    const personal = newToken({ kind: 'personal', scopes: ['files:read'], prefix: 'reports/' });
    const pipeline = newToken({ kind: 'ci', trustId: 'trust-1', appId: 'app-1', name: 'repo:acme/shop' });
    for (const { token } of [organization, personal, pipeline]) await tokens.add(token);
    expect(await authenticate.execute(organization.secret)).toEqual({
      issuer: 'urn:homeport:tokens',
      subject: `token:${organization.token.id}`,
      organization: 'acme',
      name: 'Deploys',
      grant: { kind: 'organization', id: organization.token.id, scopes: ['deploys:write'], appId: 'app-1' },
    });
    expect(await authenticate.execute(personal.secret)).toEqual({
      issuer: 'https://issuer.example',
      subject: 'ada',
      organization: 'acme',
      grant: { kind: 'personal', id: personal.token.id, scopes: ['files:read'], prefix: 'reports/' },
    });
    expect(await authenticate.execute(pipeline.secret)).toMatchObject({
      subject: 'ci:trust-1',
      name: 'repo:acme/shop',
      grant: { kind: 'ci', id: 'trust-1' },
    });
  });

  it('checks the checksum before it looks a token up', async () => {
    const { authenticate, find } = fixture();
    await expect(authenticate.execute(`hp_${'0'.repeat(40)}`)).rejects.toThrow(TokenInvalid);
    expect(find).not.toHaveBeenCalled();
    await expect(authenticate.execute(newTokenSecret())).rejects.toThrow(TokenInvalid);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('rejects an expired token at the time of its expiry', async () => {
    const { tokens, clock, authenticate } = fixture();
    const { secret, token } = newToken({ expiresAt: new Date(clock.time + 1) });
    await tokens.add(token);
    await authenticate.execute(secret);
    clock.time += 1;
    await expect(authenticate.execute(secret)).rejects.toThrow(TokenExpired);
  });

  it('looks a token up once in half a second, and rejects it after it was revoked', async () => {
    const { tokens, monotonic, find, authenticate } = fixture();
    const { secret, token } = newToken();
    await tokens.add(token);
    find.mockClear();
    await Promise.all([authenticate.execute(secret), authenticate.execute(secret)]);
    await authenticate.execute(secret);
    expect(find).toHaveBeenCalledTimes(1);
    await tokens.remove({ kind: 'organization', organization: 'acme' }, token.id);
    monotonic.now += 501;
    await expect(authenticate.execute(secret)).rejects.toThrow(TokenInvalid);
  });

  it('counts the half second from the start of a slow lookup', async () => {
    const { tokens, monotonic, find, authenticate } = fixture();
    const { secret, token } = newToken();
    await tokens.add(token);
    find.mockImplementationOnce(async () => {
      monotonic.now += 400;
      return token;
    });
    await authenticate.execute(secret);
    find.mockClear();
    monotonic.now += 99;
    await authenticate.execute(secret);
    expect(find).not.toHaveBeenCalled();
    monotonic.now += 2;
    await authenticate.execute(secret);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it('stores the use at most once a minute, and again after a failure', async () => {
    const { tokens, clock, monotonic, failures, recordUse, authenticate } = fixture();
    const { secret, token } = newToken();
    await tokens.add(token);
    recordUse.mockRejectedValueOnce(new Error('unavailable'));
    await authenticate.execute(secret);
    await new Promise(setImmediate);
    expect(failures).toHaveLength(1);
    for (let count = 0; count < 5; count += 1) await authenticate.execute(secret);
    expect(recordUse).toHaveBeenCalledTimes(2);
    monotonic.now += USE_INTERVAL_MS + 1;
    clock.time += USE_INTERVAL_MS + 1;
    await authenticate.execute(secret);
    expect(recordUse).toHaveBeenCalledTimes(3);
    expect(await tokens.list({ kind: 'organization', organization: 'acme' })).toMatchObject([
      { lastUsedAt: new Date(clock.time) },
    ]);
  });
});
