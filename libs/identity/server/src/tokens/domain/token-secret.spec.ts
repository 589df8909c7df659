import { crc32 } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { TokenInvalid } from '../../domain/identity.errors';
import { assertTokenChecksum, isTokenSecret, newTokenSecret } from './token-secret';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function base62(value: number): string {
  return (value === 0 ? '' : base62(Math.floor(value / 62))) + (value === 0 ? '' : (ALPHABET[value % 62] as string));
}

describe('token secrets', () => {
  it('are hp_ and 40 base62 characters, the last six a CRC-32 of the others', () => {
    for (let count = 0; count < 200; count += 1) {
      const secret = newTokenSecret();
      expect(secret).toMatch(/^hp_[0-9A-Za-z]{40}$/);
      const random = secret.slice(3, 37);
      expect(secret.slice(37)).toBe(base62(crc32(random)).padStart(6, '0'));
      expect(() => assertTokenChecksum(secret)).not.toThrow();
    }
  });

  it('are different every time', () => {
    expect(new Set(Array.from({ length: 1_000 }, newTokenSecret)).size).toBe(1_000);
  });

  it('are recognized by their prefix', () => {
    expect(isTokenSecret(newTokenSecret())).toBe(true);
    expect(isTokenSecret('eyJhbGciOiJSUzI1NiJ9.e30.x')).toBe(false);
  });

  it('are rejected after any change of one character', () => {
    const secret = newTokenSecret();
    for (let index = 3; index < secret.length; index += 1) {
      const other = secret[index] === 'a' ? 'b' : 'a';
      const changed = secret.slice(0, index) + other + secret.slice(index + 1);
      expect(() => assertTokenChecksum(changed)).toThrow(TokenInvalid);
    }
  });

  it.each([
    '',
    'hp_',
    `hp_${'0'.repeat(39)}`,
    `hp_${'0'.repeat(41)}`,
    `hp_${'-'.repeat(40)}`,
    `hp_${'é'.repeat(40)}`,
    `hp_${'0'.repeat(40)}\n`,
    `HP_${'0'.repeat(40)}`,
  ])('are rejected in another form: %j', (text) => {
    expect(() => assertTokenChecksum(text)).toThrow(TokenInvalid);
  });
});
