import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { TokenInvalid } from '../../domain/identity.errors';

const PREFIX = 'hp_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 202 bits. */
const RANDOM_LENGTH = 34;
const CHECKSUM_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`);

/** Creates a secret: `hp_`, 34 random characters, and their checksum, so that scanners recognize leaked tokens. */
export function newTokenSecret(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return PREFIX + random + checksumOf(random);
}

/** Whether a bearer token is one of ours and not a JWT of the identity service. */
export function isTokenSecret(bearer: string): boolean {
  return bearer.startsWith(PREFIX);
}

/** Checks form and checksum, so that mistyped and made-up tokens cost no query. @throws {TokenInvalid} */
export function assertTokenChecksum(secret: string): void {
  const [, random, checksum] = FORM.exec(secret) ?? [];
  if (random === undefined || checksumOf(random) !== checksum) {
    throw new TokenInvalid('the form or the checksum is wrong');
  }
}

/** CRC-32 in base62, most significant digit first. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let digits = '';
  while (digits.length < CHECKSUM_LENGTH) {
    digits = (ALPHABET[rest % ALPHABET.length] as string) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
