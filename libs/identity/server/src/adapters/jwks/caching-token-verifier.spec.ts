import { generateKeyPairSync } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignJWT } from 'jose';
import { TokenInvalid } from '../../domain/identity.errors';
import { CachingTokenVerifier } from './caching-token-verifier';

const RULES = {
  issuer: 'https://idp.example',
  audience: 'homeport-api',
  audienceClaim: 'aud',
  organizationClaim: 'org_id',
  algorithms: ['ES256'],
  clockSkewSeconds: 30,
} as const;
const [PAIR, OTHER] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' })) as [Pair, Pair];
type Pair = ReturnType<typeof generateKeyPairSync>;

let now: number;
let signatures: CachingTokenVerifier;
let token: string;

beforeEach(async () => {
  now = 1_000_000;
  signatures = new CachingTokenVerifier(RULES, () => now);
  token = await new SignJWT({ sub: 'ada' }).setProtectedHeader({ alg: 'ES256', kid: 'k' }).sign(PAIR.privateKey);
});

describe('CachingTokenVerifier', () => {
  it('caches a valid signature for 30 seconds, then verifies it again', async () => {
    const claims = await signatures.claimsOf(token, PAIR.publicKey);
    expect(claims).toMatchObject({ sub: 'ada' });
    now += 30_000;
    expect(await signatures.claimsOf(token, PAIR.publicKey)).toBe(claims);
    now += 1;
    const again = await signatures.claimsOf(token, PAIR.publicKey);
    expect(again).not.toBe(claims);
    expect(again).toEqual(claims);
  });

  it('caches it for one key only', async () => {
    await signatures.claimsOf(token, PAIR.publicKey);
    await expect(signatures.claimsOf(token, OTHER.publicKey)).rejects.toBeInstanceOf(TokenInvalid);
  });

  it('does not cache an invalid signature', async () => {
    await expect(signatures.claimsOf(token, OTHER.publicKey)).rejects.toBeInstanceOf(TokenInvalid);
    await expect(signatures.claimsOf(token, OTHER.publicKey)).rejects.toBeInstanceOf(TokenInvalid);
    await expect(signatures.claimsOf(token, PAIR.publicKey)).resolves.toMatchObject({ sub: 'ada' });
  });
});
