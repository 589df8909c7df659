import { describe, expect, it } from '@jest/globals';
import { TokenExpired, TokenInvalid } from './identity.errors';
import { checkTokenHeader, actorOf, type TokenRules } from './token-policy';

const RULES: TokenRules = {
  issuer: 'https://idp.example',
  audience: 'homeport-api',
  audienceClaim: 'aud',
  organizationClaim: 'org_id',
  algorithms: ['RS256', 'ES256'],
  clockSkewSeconds: 30,
};
const COGNITO: TokenRules = { ...RULES, audienceClaim: 'client_id' };
const NOW = 1_800_000_000;

type Json = Readonly<Record<string, unknown>>;

const HEADER: Json = { alg: 'RS256', kid: 'key-1', typ: 'at+jwt' };
const CLAIMS: Json = {
  iss: 'https://idp.example',
  aud: 'homeport-api',
  client_id: 'homeport-api',
  sub: 'person-1',
  exp: NOW + 300,
  iat: NOW - 10,
  nbf: NOW - 10,
  org_id: 'org-1',
  name: 'Ada',
  email: 'ada@example.com',
};
const KEY = { keyId: 'key-1', algorithm: 'RS256' };
const NOT_TEXTS = [null, '', 0, 1, true, false, [], ['x'], {}];

function without(source: Json, name: string): Json {
  return Object.fromEntries(Object.entries(source).filter(([key]) => key !== name));
}

/** Parses JSON like the wire does: there `__proto__` is an ordinary claim. */
function parsed(text: string): Json {
  return JSON.parse(text) as Json;
}

function part(text: string | Buffer): string {
  return Buffer.from(text).toString('base64url');
}

function tokenWith(header: unknown, payload: unknown = CLAIMS): string {
  return [part(JSON.stringify(header)), part(JSON.stringify(payload)), 'c2lnbmF0dXJl'].join('.');
}

function reasonOf(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    expect(error).toBeInstanceOf(TokenInvalid);
    return (error as TokenInvalid).cause;
  }
  throw new Error('nothing was refused');
}

/** The refusal reason; undefined for a valid header. */
function lengthRefusal(token: string): unknown {
  try {
    return void checkTokenHeader(token, RULES);
  } catch (error) {
    return (error as TokenInvalid).cause;
  }
}

const refusalOfHeader = (token: string) => reasonOf(() => checkTokenHeader(token, RULES));
const refusalOf = (claims: unknown, rules = RULES) => reasonOf(() => actorOf(claims, rules, NOW));

describe('checkTokenHeader', () => {
  it('returns the key id of a valid token', () => {
    expect(checkTokenHeader(tokenWith(HEADER), RULES)).toEqual(KEY);
    expect(checkTokenHeader(tokenWith({ ...HEADER, alg: 'ES256' }), RULES)).toEqual({
      keyId: 'key-1',
      algorithm: 'ES256',
    });
  });

  it.each(['none', 'None', 'NONE', '', 'HS256', 'HS512', 'RS512', 'PS256', 'EdDSA', 'rs256', null, 1, ['RS256'], {}])(
    'refuses the algorithm %j',
    (alg) => {
      expect(refusalOfHeader(tokenWith({ ...HEADER, alg }))).toBe('the algorithm is not allowed');
    },
  );

  it('refuses a token without an algorithm', () => {
    expect(refusalOfHeader(tokenWith(without(HEADER, 'alg')))).toBe('the algorithm is not allowed');
  });

  it.each(['JWT', 'jwt', 'Jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'Application/AT+JWT'])(
    'accepts the header type %s',
    (typ) => {
      expect(checkTokenHeader(tokenWith({ ...HEADER, typ }), RULES)).toEqual(KEY);
    },
  );

  it('accepts a token without a header type', () => {
    expect(checkTokenHeader(tokenWith(without(HEADER, 'typ')), RULES)).toEqual(KEY);
  });

  it.each(['id+jwt', 'logout+jwt', 'dpop+jwt', 'JWE', 'jwt ', 'xjwt', '', null, 0, true, ['JWT'], { jwt: 1 }])(
    'refuses the header type %j',
    (typ) => {
      expect(refusalOfHeader(tokenWith({ ...HEADER, typ }))).toBe('the header type is not one of an access token');
    },
  );

  it.each([[['b64']], [['exp']], [['unheard-of']], [[]], [null], ['b64'], [{}]])(
    'refuses critical headers %j',
    (crit) => {
      expect(refusalOfHeader(tokenWith({ ...HEADER, crit }))).toBe('critical headers are not supported');
    },
  );

  it.each(NOT_TEXTS)('refuses the key id %j', (kid) => {
    expect(refusalOfHeader(tokenWith({ ...HEADER, kid }))).toBe('there is no key id');
  });

  it('refuses a token without a key id', () => {
    expect(refusalOfHeader(tokenWith(without(HEADER, 'kid')))).toBe('there is no key id');
  });

  it('accepts at most 8,192 characters', () => {
    const short = tokenWith(HEADER);
    // One of four lengths is not valid base64url, so the test uses the longest valid ones around the limit.
    const withLength = (length: number) => short + 'A'.repeat(length - short.length);
    expect([8_191, 8_192].map((length) => lengthRefusal(withLength(length)))).not.toContain('the token is too long');
    expect(refusalOfHeader(withLength(8_193))).toBe('the token is too long');
  });

  it.each(['c2ln=', 'c2ln ', 'c2l+', 'c2l/', 'c2', 'c2lnb'])('refuses the signature encoding %s', (text) => {
    const token = tokenWith(HEADER).replace(/[^.]*$/, text);
    expect(refusalOfHeader(token)).toBe('the signature is not base64url');
  });

  it.each(['null', '[]', '[{"alg":"RS256","kid":"key-1"}]', '"RS256"', '7', 'true', '', '{', 'not json'])(
    'refuses the header %j',
    (header) => {
      const token = `${part(header)}.${part('{}')}.c2ln`;
      expect(refusalOfHeader(token)).toBe('the header is not a JSON object');
    },
  );

  it.each(['', '.', '..', '!!!.e30.x', 'abc'])('refuses the malformed token %j', (token) => {
    expect(refusalOfHeader(token)).toBe('the header is not a JSON object');
  });

  it.each(['null', '[]', '"text"', '7', 'false', '', '{', 'not json'])(
    'refuses the payload %j before the signature is verified',
    (payload) => {
      const token = `${part(JSON.stringify(HEADER))}.${part(payload)}.c2ln`;
      expect(refusalOfHeader(token)).toBe('the payload is not a JSON object');
    },
  );

  it('refuses a token that ends after its header', () => {
    expect(refusalOfHeader(part(JSON.stringify(HEADER)))).toBe('the payload is not a JSON object');
  });

  it('ignores header fields in a prototype', () => {
    const token = `${part('{"__proto__":{"alg":"RS256","kid":"key-1"}}')}.${part('{}')}.c2ln`;
    expect(refusalOfHeader(token)).toBe('the algorithm is not allowed');
  });
});

describe('actorOf', () => {
  it('returns the actor', () => {
    expect(actorOf(CLAIMS, RULES, NOW)).toEqual({
      issuer: 'https://idp.example',
      subject: 'person-1',
      organization: 'org-1',
      name: 'Ada',
      email: 'ada@example.com',
    });
  });

  it('omits optional fields that the token does not have', () => {
    const { iss, aud, sub, exp } = CLAIMS;
    const actor = actorOf({ iss, aud, sub, exp }, RULES, NOW);
    expect(actor).toStrictEqual({ issuer: 'https://idp.example', subject: 'person-1' });
    expect(Object.keys(actor)).toEqual(['issuer', 'subject']);
  });

  it.each([null, undefined, '', 'text', '{"iss":"https://idp.example"}', 0, 7, true, [], [CLAIMS]])(
    'refuses the payload %j',
    (claims) => {
      expect(refusalOf(claims)).toBe('the payload is not a JSON object');
    },
  );

  it.each(['https://idp.example/', 'https://evil.example', 'HTTPS://IDP.EXAMPLE', ...NOT_TEXTS])(
    'refuses the issuer %j',
    (iss) => {
      expect(refusalOf({ ...CLAIMS, iss })).toBe('the issuer does not match');
    },
  );

  it('refuses a token without an issuer', () => {
    expect(refusalOf(without(CLAIMS, 'iss'))).toBe('the issuer does not match');
    expect(refusalOf({ ...CLAIMS, iss: ['https://idp.example'] })).toBe('the issuer does not match');
  });

  it.each(NOT_TEXTS)('refuses the subject %j', (sub) => {
    expect(refusalOf({ ...CLAIMS, sub })).toBe('there is no subject');
  });

  it('refuses a token without a subject', () => {
    expect(refusalOf(without(CLAIMS, 'sub'))).toBe('there is no subject');
  });

  it.each(['org_id', 'name', 'email'])('accepts a token without %s', (name) => {
    expect(actorOf(without(CLAIMS, name), RULES, NOW).subject).toBe('person-1');
  });

  it.each(['org_id', 'name', 'email'].flatMap((name) => NOT_TEXTS.map((value) => [name, value] as const)))(
    'refuses the claim %s when it is %j',
    (name, value) => {
      expect(refusalOf({ ...CLAIMS, [name]: value })).toBe(`${name} is not a non-empty string`);
    },
  );

  it.each(['sub', 'org_id'].flatMap((name) => ['a\0b', '\ud800', 'a\udc00'].map((value) => [name, value])))(
    'refuses the claim %s when it is %j, which PostgreSQL cannot store',
    (name, value) => {
      expect(refusalOf({ ...CLAIMS, [name as string]: value })).toBe('an identifier contains invalid characters');
    },
  );

  it.each(['sub', 'org_id'])('refuses the claim %s with more than 255 characters, and says so', (name) => {
    expect(actorOf({ ...CLAIMS, [name]: 'x'.repeat(255) }, RULES, NOW)).toBeDefined();
    const long = { ...CLAIMS, [name]: 'x'.repeat(256) };
    expect(refusalOf(long)).toBe(`${name} is too long`);
    expect(() => actorOf(long, RULES, NOW)).toThrow(
      `The claim ${name} of the bearer token has more than 255 characters.`,
    );
  });

  it.each(['auth0|5f7c', 'a b', 'a\n', 'Ä-日本-😀'])('accepts the subject %j', (sub) => {
    expect(actorOf({ ...CLAIMS, sub }, RULES, NOW).subject).toBe(sub);
  });

  it('reads the organization only from the configured claim', () => {
    const rules = { ...RULES, organizationClaim: 'https://example.com/org' };
    const claims = { ...CLAIMS, 'https://example.com/org': 'org-2' };
    expect(actorOf(claims, rules, NOW).organization).toBe('org-2');
    expect(actorOf(CLAIMS, rules, NOW).organization).toBeUndefined();
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'finds no organization in the inherited property %s',
    (organizationClaim) => {
      expect(actorOf(CLAIMS, { ...RULES, organizationClaim }, NOW).organization).toBeUndefined();
    },
  );

  it('ignores a claim named __proto__', () => {
    const text = JSON.stringify(without(CLAIMS, 'org_id'));
    const claims = parsed(`${text.slice(0, -1)},"__proto__":{"org_id":"org-9","name":"Mallory"}}`);
    expect(actorOf(claims, RULES, NOW)).not.toHaveProperty('organization');
    expect(refusalOf(parsed(`{"__proto__":${JSON.stringify(CLAIMS)}}`))).toBe('the issuer does not match');
  });
});

describe('actorOf: audience', () => {
  it.each([[['homeport-api']], [['other', 'homeport-api']], [['homeport-api', 'other']]])(
    'accepts our audience in the list %j',
    (aud) => {
      expect(actorOf({ ...CLAIMS, aud }, RULES, NOW).subject).toBe('person-1');
    },
  );

  it.each([
    'other',
    'homeport-api-2',
    'HOMEPORT-API',
    ['other'],
    [['homeport-api']],
    ['homeport-api', 1],
    ['homeport-api', null],
    [null],
    { 'homeport-api': true },
    ...NOT_TEXTS,
  ])('refuses the audience %j', (aud) => {
    expect(refusalOf({ ...CLAIMS, aud })).toBe('the audience does not match');
  });

  it('refuses a token without an audience', () => {
    expect(refusalOf(without(CLAIMS, 'aud'))).toBe('the audience does not match');
  });

  it('reads client_id when it is configured as the audience claim', () => {
    expect(actorOf(without(CLAIMS, 'aud'), COGNITO, NOW).subject).toBe('person-1');
    expect(actorOf({ ...CLAIMS, aud: 'other' }, COGNITO, NOW).subject).toBe('person-1');
    expect(refusalOf(without(CLAIMS, 'client_id'), COGNITO)).toBe('the audience does not match');
    expect(actorOf({ ...CLAIMS, client_id: 'other' }, RULES, NOW).subject).toBe('person-1');
  });

  it.each(['other', ...NOT_TEXTS])('refuses the client_id %j', (clientId) => {
    expect(refusalOf({ ...CLAIMS, client_id: clientId }, COGNITO)).toBe('the audience does not match');
  });

  it('refuses a list in client_id', () => {
    expect(refusalOf({ ...CLAIMS, client_id: ['homeport-api'] }, COGNITO)).toBe('the audience does not match');
  });
});

describe('actorOf: ID tokens', () => {
  it('accepts a token marked as an access token', () => {
    expect(actorOf({ ...CLAIMS, token_use: 'access' }, RULES, NOW).subject).toBe('person-1');
    expect(actorOf({ ...CLAIMS, typ: 'Bearer' }, RULES, NOW).subject).toBe('person-1');
  });

  it.each(['id', 'ACCESS', 'refresh', ...NOT_TEXTS])('refuses token_use %j', (tokenUse) => {
    expect(refusalOf({ ...CLAIMS, token_use: tokenUse })).toBe('it is an ID token');
  });

  it.each(['at_hash', 'c_hash'])('refuses a token with %s of any value', (name) => {
    for (const value of ['hash', '', null, 0, false, [], {}]) {
      expect(refusalOf({ ...CLAIMS, [name]: value })).toBe('it is an ID token');
    }
  });

  it.each(['ID', 'id', 'Id', null, 0, false, [], {}])('refuses the payload type %j', (typ) => {
    expect(refusalOf({ ...CLAIMS, typ })).toBe('it is an ID token');
  });
});

describe('actorOf: time', () => {
  const at = (changes: Json) => () => actorOf({ ...CLAIMS, ...changes }, RULES, NOW);

  it('accepts a token until its expiry plus the clock skew', () => {
    expect(at({ exp: NOW - 29 })().subject).toBe('person-1');
    expect(at({ exp: NOW - 29.999 })().subject).toBe('person-1');
    expect(at({ exp: NOW - 30 })).toThrow(TokenExpired);
    expect(at({ exp: 0 })).toThrow(TokenExpired);
    expect(at({ exp: -1 })).toThrow(TokenExpired);
  });

  it.each([
    ['nbf', 'it is not valid yet'],
    ['iat', 'it was issued in the future'],
  ])('accepts %s in the future up to the clock skew', (name, reason) => {
    expect(at({ [name]: NOW + 30 })().subject).toBe('person-1');
    expect(refusalOf({ ...CLAIMS, [name]: NOW + 30.001 })).toBe(reason);
    expect(refusalOf({ ...CLAIMS, [name]: NOW + 31 })).toBe(reason);
  });

  it.each(['nbf', 'iat'])('accepts a token without %s', (name) => {
    expect(actorOf(without(CLAIMS, name), RULES, NOW).subject).toBe('person-1');
  });

  it('refuses a token without an expiry', () => {
    expect(refusalOf(without(CLAIMS, 'exp'))).toBe('there is no expiry');
  });

  it.each(
    ['exp', 'nbf', 'iat'].flatMap((name) =>
      [null, '', `${NOW}`, true, [], [NOW], {}, NaN, Infinity, -Infinity, undefined].map((value) => [name, value]),
    ),
  )('refuses %s when it is %p', (name, value) => {
    expect(refusalOf({ ...CLAIMS, [name as string]: value })).toBe(`${name as string} is not a number`);
  });

  it('refuses a number that exceeds the range of a double', () => {
    const text = JSON.stringify(without(CLAIMS, 'exp'));
    expect(refusalOf(parsed(`${text.slice(0, -1)},"exp":1e999}`))).toBe('exp is not a number');
  });

  it('reports a token as expired only if it is valid otherwise', () => {
    const expired = { ...CLAIMS, exp: NOW - 3_600 };
    expect(refusalOf({ ...expired, iss: 'https://evil.example' })).toBe('the issuer does not match');
    expect(refusalOf({ ...expired, aud: 'other' })).toBe('the audience does not match');
    expect(refusalOf({ ...expired, at_hash: 'x' })).toBe('it is an ID token');
  });
});
