import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSignedResponse, sign, type TsigKey, TsigVerifier } from './tsig';

/** A request that nsupdate sent to BIND 9.18, and the response. */
const KEY: TsigKey = {
  name: 'homeport',
  secret: Buffer.from('qC0NO0KEAPJHo1Xv17xSbIZ0V8f6ALzIt+x8m/+QFrU=', 'base64'),
  algorithm: 'hmac-sha256',
};
const TIME = 0x6b017e6c;
const ZONE = '0461707073076578616d706c6503636f6d0000060001';
const TSIG_HEAD = '08686f6d65706f72740000fa00ff00000000';
const SIGNED = '003d0b686d61632d7368613235360000006b017e6c012c0020';
const REQUEST_MAC = '054e04906f05a92bf4e9a660ca1cae84a2526dfb2410a7c4143559b48c4d3d14';
const ANSWER_MAC = '53e6f575019b76975659ad87928e2919979114b3aca61e00c0a51ac5a7a9d4f8';
const RECORDS = '036e6577c00c00ff00fe000000000000' + 'c022000500010000003c00120465646765076578616d706c65036e657400';
const REQUEST = bytes(`b35228000001000100010000${ZONE}${RECORDS}`);
const ANSWER = bytes(`b352a8000001000000000001${ZONE}${TSIG_HEAD}${SIGNED}${ANSWER_MAC}b35200000000`);
const BADSIG = bytes(
  `8538a8090001000000000001${ZONE}${TSIG_HEAD}001d0b686d61632d7368613235360000006b017e6c012c0000853800100000`,
);

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

const verifier = (key = KEY) => new TsigVerifier(key, bytes(REQUEST_MAC));

describe('TSIG', () => {
  it('signs like nsupdate', () => {
    const { message, mac } = sign(REQUEST, KEY, TIME);
    expect(mac.toString('hex')).toBe(REQUEST_MAC);
    expect(message.subarray(REQUEST.length).toString('hex')).toBe(`${TSIG_HEAD}${SIGNED}${REQUEST_MAC}b35200000000`);
    expect(message.readUInt16BE(10)).toBe(1);
  });

  it('accepts a response signed by BIND', () => {
    const check = verifier();
    expect(check.isComplete).toBe(false);
    expect(check.faultOf(parseSignedResponse(ANSWER), TIME + 300)).toBeUndefined();
    expect(check.isComplete).toBe(true);
  });

  it('reads why a signature was rejected', () => {
    const { tsig } = parseSignedResponse(BADSIG);
    expect(tsig).toMatchObject({ error: 16, mac: Buffer.alloc(0), time: TIME });
    expect(verifier().faultOf(parseSignedResponse(BADSIG), TIME)).toMatch(/wrong/);
  });

  it.each([
    ['another request', () => new TsigVerifier(KEY, bytes(ANSWER_MAC)), TIME, /signature is wrong/],
    ['another secret', () => verifier({ ...KEY, secret: Buffer.from('x') }), TIME, /signature is wrong/],
    ['another key', () => verifier({ ...KEY, name: 'other' }), TIME, /another key/],
    ['another algorithm', () => verifier({ ...KEY, algorithm: 'hmac-sha512' }), TIME, /another algorithm/],
    ['another time', () => verifier(), TIME + 301, /another time/],
  ])('rejects a response for %s', (_, check, time, fault) => {
    expect(check().faultOf(parseSignedResponse(ANSWER), time)).toMatch(fault);
  });

  it('rejects a response with one changed bit', () => {
    for (let bit = 0; bit < ANSWER.length * 8; bit += 1) {
      const changed = Buffer.from(ANSWER);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      // The id in the header is not signed. The response reader compares it.
      if (bit >= 16) expect(faultOf(changed)).toBeDefined();
    }
  });

  it('parses or rejects any bytes', () => {
    const mutated = fc
      .array(fc.tuple(fc.nat(ANSWER.length - 1), fc.nat(255)), { maxLength: 8 })
      .map((changes) => changes.reduce((all, [at, value]) => (all.writeUInt8(value, at), all), Buffer.from(ANSWER)));
    const garbage = fc.uint8Array({ maxLength: 300 }).map((each) => Buffer.from(each));
    fc.assert(
      fc.property(fc.oneof(mutated, garbage), (message) => void faultOf(message)),
      { numRuns: 5_000 },
    );
  });
});

/** Returns the fault of a message. @throws errors other than a RangeError. */
function faultOf(message: Buffer): string | undefined {
  try {
    return verifier().faultOf(parseSignedResponse(message), TIME);
  } catch (error) {
    if (Object(error).name === 'RangeError') return 'no message';
    throw error;
  }
}
