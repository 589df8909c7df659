import { describe, expect, it } from '@jest/globals';
import { handleOf, hashOf } from './session-handle';

describe('the hash of a secret', () => {
  it('is its SHA-256', () => {
    // The example "abc" of FIPS 180.
    expect(hashOf('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('is the handle, in base64url', () => {
    expect(handleOf('abc')).toBe('ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0');
  });
});
