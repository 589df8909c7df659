import type { Actor } from '@homeport/identity/contracts';
import { TokenExpired, TokenInvalid } from './identity.errors';

/** The rules for accepting a token. */
export interface TokenRules {
  readonly issuer: string;
  readonly audience: string;
  /** `aud`, or `client_id` for issuers (Cognito) whose access tokens carry no audience. */
  readonly audienceClaim: 'aud' | 'client_id';
  readonly organizationClaim: string;
  /** JWS algorithms, such as RS256; others are refused before a key lookup. */
  readonly algorithms: readonly string[];
  /** Tolerated difference between clocks, in seconds. */
  readonly clockSkewSeconds: number;
}

/** The key that a token names in its header. */
export interface KeyReference {
  readonly keyId: string;
  readonly algorithm: string;
}

export type Claims = Readonly<Record<string, unknown>>;

const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];
const MAX_TOKEN_LENGTH = 8_192;
/** The limit of OpenID Connect for a subject, in UTF-16 code units. */
const MAX_IDENTIFIER_LENGTH = 255;

/**
 * Checks a token before its signature is verified: size, shape, algorithm, type, critical headers.
 * @param token the compact JWS from the request.
 * @returns the reference of the key to verify with.
 * @throws {TokenInvalid}
 */
export function checkTokenHeader(token: string, rules: Pick<TokenRules, 'algorithms'>): KeyReference {
  if (token.length > MAX_TOKEN_LENGTH) throw new TokenInvalid('the token is too long');
  const [headerPart = '', payloadPart = '', signature = ''] = token.split('.', 3);
  const header = jsonObjectIn(headerPart);
  if (!header) throw new TokenInvalid('the header is not a JSON object');
  // The verifying library reads claims without checking that the payload is an object.
  if (!jsonObjectIn(payloadPart)) throw new TokenInvalid('the payload is not a JSON object');
  // Several encodings decode to the same signature; only the canonical one is accepted.
  if (Buffer.from(signature, 'base64url').toString('base64url') !== signature) {
    throw new TokenInvalid('the signature is not base64url');
  }
  const algorithm = header['alg'] as string;
  if (!rules.algorithms.includes(algorithm)) throw new TokenInvalid('the algorithm is not allowed');
  if ('crit' in header) throw new TokenInvalid('critical headers are not supported');
  if (!isAccessTokenType(header['typ'])) throw new TokenInvalid('the header type is not one of an access token');
  const keyId = header['kid'];
  if (typeof keyId !== 'string' || keyId === '') throw new TokenInvalid('there is no key id');
  return { keyId, algorithm };
}

/**
 * Checks the claims of a token whose signature is already verified. A claim that is missing, null or of another type is
 * refused: absence never skips a check.
 * @param claims the payload, of any type.
 * @param now seconds since the epoch.
 * @throws {TokenInvalid} @throws {TokenExpired}
 */
export function actorOf(claims: unknown, rules: TokenRules, now: number): Actor {
  if (!isJsonObject(claims)) throw new TokenInvalid('the payload is not a JSON object');
  if (claims['iss'] !== rules.issuer) throw new TokenInvalid('the issuer does not match');
  if (!isMeantForUs(claims[rules.audienceClaim], rules)) throw new TokenInvalid('the audience does not match');
  if (isIdToken(claims)) throw new TokenInvalid('it is an ID token');
  checkTimes(claims, rules.clockSkewSeconds, now);
  const subject = claims['sub'];
  if (typeof subject !== 'string' || subject === '') throw new TokenInvalid('there is no subject');
  const organization = optionalText(claims, rules.organizationClaim);
  if (!isName(subject) || !isName(organization ?? ''))
    throw new TokenInvalid('an identifier contains invalid characters');
  checkLength('sub', subject);
  checkLength(rules.organizationClaim, organization ?? '');
  const name = optionalText(claims, 'name');
  const email = optionalText(claims, 'email');
  return {
    issuer: rules.issuer,
    subject,
    ...(organization === undefined ? {} : { organization }),
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
  };
}

/**
 * Whether a text can serve as an identifier. It must be the same text everywhere: UTF-8 maps all lone surrogates to one
 * character, and PostgreSQL rejects NUL.
 */
function isName(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** PostgreSQL indexes identifiers, and refuses long ones. */
function checkLength(claim: string, text: string): void {
  if (text.length <= MAX_IDENTIFIER_LENGTH) return;
  const limit = `The claim ${claim} of the bearer token has more than ${MAX_IDENTIFIER_LENGTH} characters.`;
  throw new TokenInvalid(`${claim} is too long`, limit);
}

/** The `iss` of a token whose signature is not verified: only to find out with whose keys to verify it. */
export function unverifiedIssuerOf(token: string): string | undefined {
  if (token.length > MAX_TOKEN_LENGTH) return undefined;
  const issuer = jsonObjectIn(token.split('.', 3)[1] ?? '')?.['iss'];
  return typeof issuer === 'string' && isName(issuer) ? issuer : undefined;
}

function jsonObjectIn(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object, and neither null nor an array. */
export function isJsonObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isAccessTokenType(type: unknown): boolean {
  return type === undefined || (typeof type === 'string' && ACCESS_TOKEN_TYPES.includes(type.toLowerCase()));
}

function isMeantForUs(claim: unknown, rules: TokenRules): boolean {
  if (rules.audienceClaim === 'aud' && Array.isArray(claim)) {
    return claim.every((each) => typeof each === 'string') && claim.includes(rules.audience);
  }
  return claim === rules.audience;
}

function isIdToken(claims: Claims): boolean {
  if ('token_use' in claims && claims['token_use'] !== 'access') return true;
  if ('at_hash' in claims || 'c_hash' in claims) return true;
  const type = claims['typ'];
  return type !== undefined && (typeof type !== 'string' || type.toUpperCase() === 'ID');
}

/**
 * Checks `exp`, `nbf` and `iat`. @param skew seconds. @param now seconds since the epoch.
 * @throws {TokenInvalid} @throws {TokenExpired}
 */
export function checkTimes(claims: Claims, skew: number, now: number): void {
  const expires = seconds(claims, 'exp');
  if (expires === undefined) throw new TokenInvalid('there is no expiry');
  const notBefore = seconds(claims, 'nbf');
  if (notBefore !== undefined && notBefore > now + skew) throw new TokenInvalid('it is not valid yet');
  const issuedAt = seconds(claims, 'iat');
  if (issuedAt !== undefined && issuedAt > now + skew) throw new TokenInvalid('it was issued in the future');
  if (expires <= now - skew) throw new TokenExpired();
}

function seconds(claims: Claims, name: string): number | undefined {
  if (!(name in claims)) return undefined;
  const value = claims[name];
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new TokenInvalid(`${name} is not a number`);
  return value;
}

function optionalText(claims: Claims, name: string): string | undefined {
  if (!Object.hasOwn(claims, name)) return undefined;
  const value = claims[name];
  if (typeof value !== 'string' || value === '') throw new TokenInvalid(`${name} is not a non-empty string`);
  return value;
}
