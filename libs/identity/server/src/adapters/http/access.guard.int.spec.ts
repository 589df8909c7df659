import 'reflect-metadata';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import cookie from '@fastify/cookie';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ProblemFilter } from '@homeport/platform/server/http';
import { CompactSign, type CompactJWSHeaderParameters, SignJWT } from 'jose';
import { pino } from 'pino';
import { KeySet } from '../../application/key-set.port';
import { KeysUnavailable } from '../../domain/identity.errors';
import type { Actor } from '@homeport/identity/contracts';
import { SealedBox } from '../../domain/sealed-box';
import type { KeyReference, TokenRules } from '../../domain/token-policy';
import { IdentityModule } from '../../identity.module';
import { inMemoryTokens } from '../../testing/in-memory-tokens';
import { CurrentActor } from './current-actor';
import { SessionCookies } from './session-cookies';
import { SignInHandler } from './sign-in-handler';

const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const STRANGER = generateKeyPairSync('rsa', { modulusLength: 2048 });

const RULES: TokenRules = {
  issuer: 'https://idp.example',
  audience: 'homeport-api',
  audienceClaim: 'aud',
  organizationClaim: 'org_id',
  algorithms: ['RS256', 'ES256'],
  clockSkewSeconds: 30,
};

class FakeKeySet extends KeySet {
  failure: unknown;
  readonly requested: string[] = [];
  readonly #keys = new Map<string, KeyObject>([
    ['rsa', RSA.publicKey],
    ['ec', EC.publicKey],
  ]);

  async find({ keyId }: KeyReference): Promise<KeyObject | undefined> {
    this.requested.push(keyId);
    if (this.failure !== undefined) throw this.failure;
    return this.#keys.get(keyId);
  }

  async ready(): Promise<void> {
    return Promise.resolve();
  }
}

/** Counts handler calls: a refused request must not reach a handler. */
let calls = 0;

@Controller()
class SampleController {
  @Get('closed')
  closed(@CurrentActor() actor: Actor): Actor {
    calls++;
    return actor;
  }

  @Get('member')
  member(@CurrentActor() member: Actor): Actor {
    return member;
  }

  @Get('open')
  open(): { open: true } {
    return { open: true };
  }

  @Get('forgotten')
  forgotten(): { open: true } {
    calls++;
    return { open: true };
  }
}

const POLICIES = {
  'GET /closed': 'person',
  'GET /member': 'member',
  'GET /open': 'public',
  'GET /auth/providers': 'public',
} as const;

const keySet = new FakeKeySet();
const faults = { inRules: false, inPolicy: false };
const rules: TokenRules = {
  ...RULES,
  get clockSkewSeconds() {
    if (faults.inRules) throw new RangeError('an internal defect');
    return RULES.clockSkewSeconds;
  },
  get algorithms() {
    return faults.inPolicy ? [...RULES.algorithms, 'RS512'] : RULES.algorithms;
  },
};
const cookies = new SessionCookies('http://localhost', new SealedBox([randomBytes(32)]));
const signInHandler = new SignInHandler(undefined, cookies, 'http://localhost');
/** The organizations whose calls were authorized. */
const memberCalls: string[] = [];

@Module({
  imports: [
    IdentityModule.forRoot({
      tokenRules: rules,
      keySet,
      signInHandler,
      tokens: inMemoryTokens(),
      access: {
        ...{ policies: POLICIES, perUser: 0, perAddress: 0, trustedProxies: [] },
        onMemberCall: (organization) => void memberCalls.push(organization),
      },
    }),
  ],
  controllers: [SampleController],
})
class SampleModule {}

let app: NestFastifyApplication;
const logged: string[] = [];

beforeAll(async () => {
  const loggerInstance = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const adapter = new FastifyAdapter({ loggerInstance, disableRequestLogging: true });
  app = await NestFactory.create<NestFastifyApplication>(SampleModule, adapter, { logger: false, abortOnError: false });
  await app.getHttpAdapter().getInstance().register(cookie);
  app.useGlobalFilters(new ProblemFilter());
  await app.init();
});

afterAll(() => app.close());

beforeEach(() => {
  calls = 0;
  logged.length = 0;
  keySet.requested.length = 0;
  keySet.failure = undefined;
  Object.assign(faults, { inRules: false, inPolicy: false });
});

const now = () => Math.floor(Date.now() / 1000);
const goodClaims = () => ({ iss: RULES.issuer, aud: RULES.audience, sub: 'person-1', exp: now() + 300 });

function signed(
  claims: Record<string, unknown> = goodClaims(),
  key: KeyObject = RSA.privateKey,
  header: CompactJWSHeaderParameters = { alg: 'RS256', kid: 'rsa', typ: 'at+jwt' },
): Promise<string> {
  return new SignJWT(claims).setProtectedHeader(header).sign(key);
}

/** A payload that is not an object; jose's `SignJWT` refuses to create one. */
function signedText(payload: string, typ: string): Promise<string> {
  const header = { alg: 'RS256', kid: 'rsa', typ };
  return new CompactSign(Buffer.from(payload)).setProtectedHeader(header).sign(RSA.privateKey);
}

async function get(url: string, headers: Record<string, string> = {}) {
  const answer = await app.inject({ method: 'GET', url, headers });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json<Record<string, unknown>>() };
}

const getWith = (token: string, url = '/closed') => get(url, { authorization: `Bearer ${token}` });

async function refusalOf(token: string): Promise<unknown> {
  const { status, headers, body } = await getWith(token);
  expect(status).toBe(401);
  expect(headers['www-authenticate']).toContain('Bearer error="invalid_token"');
  expect(headers['content-type']).toContain('application/problem+json');
  expect(calls).toBe(0);
  return body['code'];
}

/** The refusal reason in the operator's log. */
function loggedReason(): unknown {
  const lines = logged.map((each) => JSON.parse(each) as Record<string, unknown>);
  return lines.find(({ msg, code }) => msg === 'token refused' && code === 'identity.token-invalid')?.['reason'];
}

describe('AccessGuard with a valid token', () => {
  it('accepts an RS256 token and passes its actor to the handler', async () => {
    const token = await signed({ ...goodClaims(), org_id: 'org-1', name: 'Ada' });
    const { status, body } = await getWith(token);
    expect(status).toBe(200);
    expect(body).toEqual({ issuer: RULES.issuer, subject: 'person-1', organization: 'org-1', name: 'Ada' });
    expect(keySet.requested).toEqual(['rsa']);
  });

  it('accepts an ES256 token', async () => {
    const token = await signed(goodClaims(), EC.privateKey, { alg: 'ES256', kid: 'ec' });
    expect((await getWith(token)).status).toBe(200);
  });

  it('matches the scheme case-insensitively', async () => {
    const token = await signed();
    expect((await get('/closed', { authorization: `bearer ${token}` })).status).toBe(200);
    expect((await get('/closed', { authorization: `BEARER ${token}` })).status).toBe(200);
  });

  it('allows for clock skew at the expiry and at the start', async () => {
    expect((await getWith(await signed({ ...goodClaims(), exp: now() - 10 }))).status).toBe(200);
    expect((await getWith(await signed({ ...goodClaims(), nbf: now() + 10, iat: now() + 10 }))).status).toBe(200);
  });

  it('requires an organization only on member routes', async () => {
    const without = await getWith(await signed(), '/member');
    expect(without.status).toBe(403);
    expect(without.body['code']).toBe('identity.organization-required');
    const member = await getWith(await signed({ ...goodClaims(), org_id: 'org-1' }), '/member');
    expect(member.body).toEqual({ issuer: RULES.issuer, subject: 'person-1', organization: 'org-1' });
  });

  it('reports the authorized calls of members, and no others', async () => {
    memberCalls.length = 0;
    await getWith(await signed({ ...goodClaims(), org_id: 'org-1' }), '/closed');
    await getWith(await signed());
    await getWith(await signed({ ...goodClaims(), org_id: 'org-2', exp: now() - 600 }), '/closed');
    await get('/open', {});
    expect(memberCalls).toEqual(['org-1']);
  });
});

describe('AccessGuard with a forged token', () => {
  it('refuses HS256 keyed with the public key', async () => {
    const secret = new TextEncoder().encode(String(RSA.publicKey.export({ type: 'spki', format: 'pem' })));
    const forged = await new SignJWT(goodClaims()).setProtectedHeader({ alg: 'HS256', kid: 'rsa' }).sign(secret);
    expect(await refusalOf(forged)).toBe('identity.token-invalid');
    expect(keySet.requested).toEqual([]);
  });

  it('refuses a token without a signature', async () => {
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [, payload] = (await signed()).split('.') as [string, string];
    expect(await refusalOf(`${encoded({ alg: 'none', kid: 'rsa' })}.${payload}.`)).toBe('identity.token-invalid');
    expect(await refusalOf(`${encoded({ alg: 'RS256', kid: 'rsa' })}.${payload}.`)).toBe('identity.token-invalid');
  });

  it('refuses a token signed with another key', async () => {
    expect(await refusalOf(await signed(goodClaims(), STRANGER.privateKey))).toBe('identity.token-invalid');
  });

  it('refuses a token whose key type does not match its algorithm', async () => {
    const token = await signed(goodClaims(), EC.privateKey, { alg: 'ES256', kid: 'rsa' });
    expect(await refusalOf(token)).toBe('identity.token-invalid');
    const other = await signed(goodClaims(), RSA.privateKey, { alg: 'RS256', kid: 'ec' });
    expect(await refusalOf(other)).toBe('identity.token-invalid');
  });

  it('refuses a tampered payload, header and signature', async () => {
    const [header, payload, signature] = (await signed()).split('.') as [string, string, string];
    const [, otherPayload] = (await signed({ ...goodClaims(), sub: 'admin' })).split('.') as [string, string];
    const otherHeader = Buffer.from('{"alg":"RS256","kid":"rsa","typ":"JWT"}').toString('base64url');
    expect(await refusalOf(`${header}.${otherPayload}.${signature}`)).toBe('identity.token-invalid');
    expect(await refusalOf(`${otherHeader}.${payload}.${signature}`)).toBe('identity.token-invalid');
    expect(await refusalOf(`${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`)).toBe('identity.token-invalid');
  });

  it('refuses an unknown key id', async () => {
    const token = await signed(goodClaims(), RSA.privateKey, { alg: 'RS256', kid: 'unheard-of' });
    expect(await refusalOf(token)).toBe('identity.token-invalid');
    expect(loggedReason()).toBe('the key id is unknown');
  });

  it('verifies only configured algorithms even if the header check is bypassed', async () => {
    faults.inPolicy = true;
    const token = await signed(goodClaims(), RSA.privateKey, { alg: 'RS512', kid: 'rsa' });
    expect(await refusalOf(token)).toBe('identity.token-invalid');
    expect(keySet.requested).toEqual(['rsa']);
  });

  it.each(['null', '"text"', '7', '[]', '', 'not json'])(
    'refuses the signed payload %j under every header type and keeps running',
    async (payload) => {
      expect(await refusalOf(await signedText(payload, 'JWT'))).toBe('identity.token-invalid');
      expect(await refusalOf(await signedText(payload, 'at+jwt'))).toBe('identity.token-invalid');
    },
  );

  it.each(['a', 'a.b', 'a.b.c', 'a.b.c.d', '....', 'e30.e30.e30'])('refuses the text %s', async (text) => {
    expect(await refusalOf(text)).toBe('identity.token-invalid');
  });

  it('refuses a valid token with extra text before or after its three parts', async () => {
    const token = await signed();
    expect(await refusalOf(`${token}.x`)).toBe('identity.token-invalid');
    expect(await refusalOf(`.${token}`)).toBe('identity.token-invalid');
    expect(await refusalOf(`${token}, Bearer x`)).toBe('identity.token-invalid');
    expect(await refusalOf(`${token} junk`)).toBe('identity.token-invalid');
    expect((await get('/closed', { authorization: `junk Bearer ${token}` })).status).toBe(401);
  });

  it('refuses two Authorization headers regardless of their content', async () => {
    const token = await signed();
    await app.listen(0, '127.0.0.1');
    const address = await app.getUrl();
    const ask = (...authorizations: readonly string[]) =>
      new Promise((resolve, reject) => {
        const headers = authorizations.flatMap((each) => ['Authorization', each]);
        const sent = request(`${address}/closed`, { headers: ['Host', 'a', ...headers] });
        sent.on('response', (answer) => resolve(answer.resume().statusCode)).on('error', reject);
        sent.end();
      });
    expect(await ask(`Bearer ${token}`)).toBe(200);
    expect(await ask(`Bearer ${token}`, `Bearer ${token}`)).toBe(401);
    expect(await ask(`Bearer ${token}`, 'Bearer forged')).toBe(401);
    expect(await ask(`Bearer ${token}`, '')).toBe(401);
  });
});

describe('AccessGuard with a token that violates a rule', () => {
  it('distinguishes an expired token from an invalid one', async () => {
    expect(await refusalOf(await signed({ ...goodClaims(), exp: now() - 31 }))).toBe('identity.token-expired');
  });

  it.each([
    ['iss', 'https://evil.example'],
    ['aud', 'other'],
    ['aud', undefined],
    ['exp', undefined],
    ['sub', undefined],
    ['nbf', now() + 3_600],
    ['iat', now() + 3_600],
    ['token_use', 'id'],
    ['at_hash', 'x'],
    ['org_id', 7],
  ])('refuses a signed token whose %s is %p', async (name, value) => {
    expect(await refusalOf(await signed({ ...goodClaims(), [name]: value }))).toBe('identity.token-invalid');
  });

  it('logs the reason and hides it from the caller', async () => {
    const token = await signed({ ...goodClaims(), aud: 'other' });
    const { body } = await getWith(token);
    expect(JSON.stringify(body)).not.toContain('audience');
    expect(loggedReason()).toBe('the audience does not match');
    expect(logged.join('')).not.toContain(token.slice(-20));
  });
});

describe('AccessGuard without a usable header', () => {
  it('asks for a bearer token when the header is missing', async () => {
    const { status, headers, body } = await get('/closed');
    expect(status).toBe(401);
    expect(headers['www-authenticate']).toBe('Bearer');
    expect(body['code']).toBe('identity.unauthenticated');
    expect(calls).toBe(0);
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic dXNlcjpwYXNz', 'Token abc', 'DPoP abc'])(
    'refuses the header %j',
    async (authorization) => {
      const { status, headers, body } = await get('/closed', { authorization });
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
      expect(body['code']).toBe('identity.token-invalid');
    },
  );

  it('reads the token from no other source', async () => {
    const token = await signed();
    const everywhere = { cookie: `homeport_session=${token}; access_token=${token}`, 'x-access-token': token };
    expect((await get(`/closed?access_token=${token}&token=${token}`, everywhere)).body['code']).toBe(
      'identity.unauthenticated',
    );
    expect((await get('/closed', { authorization: token })).body['code']).toBe('identity.token-invalid');
  });
});

describe('AccessGuard while the keys are unavailable', () => {
  it('answers 503 and never 401', async () => {
    keySet.failure = new KeysUnavailable();
    const { status, headers, body } = await getWith(await signed());
    expect(status).toBe(503);
    expect(body['code']).toBe('identity.keys-unavailable');
    expect(headers['retry-after']).toBe('5');
    expect(headers['www-authenticate']).toBeUndefined();
  });

  it('reports an internal defect in the key lookup as 503, not as an invalid token', async () => {
    keySet.failure = new TypeError('an internal defect');
    expect((await getWith(await signed())).body['code']).toBe('identity.keys-unavailable');
    expect(logged.join('')).toContain('TypeError: an internal defect');
  });

  it('still refuses tokens that are invalid without a key lookup', async () => {
    keySet.failure = new KeysUnavailable();
    const token = await signed(goodClaims(), RSA.privateKey, { alg: 'RS256', typ: 'id+jwt', kid: 'rsa' });
    expect(await refusalOf(token)).toBe('identity.token-invalid');
    expect((await get('/closed')).body['code']).toBe('identity.unauthenticated');
  });

  it('answers 500 for a defect in the rules', async () => {
    faults.inRules = true;
    const { status, body } = await getWith(await signed());
    expect(status).toBe(500);
    expect(body['code']).toBe('platform.internal-error');
    expect(calls).toBe(0);
  });
});

describe('AccessGuard on routes', () => {
  it('allows public routes without checking a token', async () => {
    expect((await get('/open')).body).toEqual({ open: true });
    expect((await getWith('forged', '/open')).body).toEqual({ open: true });
    expect(keySet.requested).toEqual([]);
  });

  it('rejects every request to a route without a policy', async () => {
    expect((await get('/forgotten')).status).toBe(500);
    expect((await getWith(await signed(), '/forgotten')).status).toBe(500);
    expect(calls).toBe(0);
  });

  it('applies the policy to HEAD requests too', async () => {
    expect((await get('/closed')).status).toBe(401);
    expect((await app.inject({ method: 'HEAD', url: '/closed' })).statusCode).toBe(401);
  });
});
