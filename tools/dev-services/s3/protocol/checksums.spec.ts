import { describe, expect, it } from '@jest/globals';
import { crc32 } from 'node:zlib';
import { compositeChecksum, createChecksummer, parseAlgorithm, statedChecksum } from './checksums.ts';
import type { ChecksumAlgorithm } from './checksums.ts';

/** The published check values of the algorithms: the digest of these nine digits. */
const DIGITS = Buffer.from('123456789');
const CHECK_VALUES: readonly [ChecksumAlgorithm, string][] = [
  ['crc32', 'cbf43926'],
  ['crc32c', 'e3069283'],
  ['crc64nvme', 'ae8b14860a799888'],
  ['sha1', 'f7c3bc1d808e04732adf679965ccc34ca7ae3441'],
  ['sha256', '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225'],
];

describe('checksums', () => {
  it.each(CHECK_VALUES)('%s has its published check value', (algorithm, expected) => {
    const checksummer = createChecksummer(algorithm);
    checksummer.update(DIGITS);
    expect(checksummer.digest().toString('hex')).toBe(expected);
  });

  it.each(CHECK_VALUES)('%s does not depend on the chunk boundaries', (algorithm) => {
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, i) => (i * 7919) & 255));
    const whole = createChecksummer(algorithm);
    whole.update(bytes);
    const pieces = createChecksummer(algorithm);
    for (let at = 0, step = 1; at < bytes.length; at += step, step = (step % 13) + 1) {
      pieces.update(bytes.subarray(at, at + step));
    }
    expect(pieces.digest()).toEqual(whole.digest());
  });

  it('combines the checksums of parts', () => {
    const digest = Buffer.alloc(4);
    digest.writeUInt32BE(crc32(Buffer.from('cbf43926cbf43926', 'hex')));
    expect(compositeChecksum('crc32', ['y/Q5Jg==', 'y/Q5Jg=='])).toEqual({
      algorithm: 'crc32',
      value: `${digest.toString('base64')}-2`,
      type: 'COMPOSITE',
    });
  });

  it('reads one stated checksum', () => {
    expect(statedChecksum({ 'x-amz-checksum-crc32': 'y/Q5Jg==' })).toEqual({ algorithm: 'crc32', value: 'y/Q5Jg==' });
    expect(statedChecksum({})).toBeUndefined();
  });

  it.each([
    ['several at once', { 'x-amz-checksum-crc32': 'y/Q5Jg==', 'x-amz-checksum-crc32c': '4waSgw==' }, 'InvalidRequest'],
    ['the wrong length', { 'x-amz-checksum-crc32': 'y/Q5' }, 'InvalidDigest'],
    ['no base64', { 'x-amz-checksum-crc32': '********' }, 'InvalidDigest'],
    ['an unexpected composite', { 'x-amz-checksum-crc32': 'y/Q5Jg==-2' }, 'InvalidDigest'],
  ])('refuses %s', (_, headers, code) => {
    expect(() => statedChecksum(headers)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses unknown algorithms', () => {
    expect(() => parseAlgorithm('MD4')).toThrow(expect.objectContaining({ code: 'InvalidRequest' }));
  });
});
