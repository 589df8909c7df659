import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  CLASS,
  ARCOUNT_OFFSET,
  encodeName,
  HEADER_BYTES,
  MAX_MESSAGE_BYTES,
  TYPE,
  u16,
  UnwritableMessage,
} from './message';
import { endOfName } from './message-reader';

export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const;
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number];

/** A secret shared with a name server (RFC 8945). */
export interface TsigKey {
  readonly name: string;
  readonly secret: Buffer;
  readonly algorithm: TsigAlgorithm;
}

/** The fields of a TSIG record (RFC 8945 section 4.2). */
export interface Tsig {
  /** Seconds since 1970. */
  readonly time: number;
  /** Allowed clock difference in seconds. */
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: number;
  /** 16: BADSIG, 17: BADKEY, 18: BADTIME, 22: BADTRUNC. */
  readonly error: number;
  readonly other: Buffer;
  readonly keyName: Buffer;
  readonly algorithm: Buffer;
}

const FUDGE_SECONDS = 300;
/** Maximum number of unsigned messages between two signed ones (RFC 8945 section 5.3.1). */
const MAX_UNSIGNED = 99;

/** Signs a message that has no TSIG record. @param time seconds since 1970. */
export function sign(message: Buffer, key: TsigKey, time: number): { readonly message: Buffer; readonly mac: Buffer } {
  const names = { keyName: encodeName(key.name), algorithm: encodeName(key.algorithm) };
  const tsig = { ...names, time, fudge: FUDGE_SECONDS, error: 0, other: Buffer.alloc(0) };
  const mac = macOf(key, [message, variablesOf(tsig)]);
  const id = message.subarray(0, 2);
  const data = [names.algorithm, timersOf(tsig), u16(mac.length), mac, id, u16(0, 0)];
  const length = data.reduce((sum, part) => sum + part.length, 0);
  const signed = Buffer.concat([message, names.keyName, u16(TYPE.TSIG, CLASS.ANY, 0, 0, length), ...data]);
  if (signed.length > MAX_MESSAGE_BYTES) throw new UnwritableMessage('the message exceeds 65,535 bytes');
  signed.writeUInt16BE(message.readUInt16BE(ARCOUNT_OFFSET) + 1, ARCOUNT_OFFSET);
  return { message: signed, mac };
}

/** A parsed response. */
export interface SignedResponse {
  /** The message as the server signed it, without the TSIG record. */
  readonly bare: Buffer;
  readonly tsig: Tsig | undefined;
}

/** @throws {RangeError} when the bytes are not a valid message. */
export function parseSignedResponse(message: Buffer): SignedResponse {
  const counts = [4, 6, 8, ARCOUNT_OFFSET].map((at) => message.readUInt16BE(at));
  const [questions = 0, answers = 0, authorities = 0, additional = 0] = counts;
  let at = HEADER_BYTES;
  for (let n = 0; n < questions; n += 1) at = endOfName(message, at) + 4;
  let last = at;
  for (let n = 0; n < answers + authorities + additional; n += 1) {
    last = at;
    const lengthAt = endOfName(message, at) + 8;
    at = lengthAt + 2 + message.readUInt16BE(lengthAt);
  }
  if (at !== message.length) throw new RangeError('the message does not end with its last record');
  const typeAt = additional > 0 ? endOfName(message, last) : undefined;
  if (typeAt === undefined || message.readUInt16BE(typeAt) !== TYPE.TSIG) return { bare: message, tsig: undefined };
  const tsig = readTsig(message, { nameAt: last, dataAt: typeAt + 10 });
  const bare = Buffer.from(message.subarray(0, last));
  bare.writeUInt16BE(tsig.originalId, 0);
  bare.writeUInt16BE(additional - 1, ARCOUNT_OFFSET);
  return { bare, tsig };
}

function readTsig(message: Buffer, { nameAt, dataAt }: { nameAt: number; dataAt: number }): Tsig {
  const isPlain = message.subarray(dataAt - 10, dataAt - 2).equals(u16(TYPE.TSIG, CLASS.ANY, 0, 0));
  if (!isPlain) throw new RangeError('the class or TTL of the signature is invalid');
  const timeAt = endOfName(message, dataAt);
  const macAt = timeAt + 10;
  const macEnd = macAt + message.readUInt16BE(timeAt + 8);
  const otherAt = macEnd + 6;
  const otherEnd = otherAt + message.readUInt16BE(macEnd + 4);
  if (otherEnd !== message.length) throw new RangeError('the signature does not end with its record');
  return {
    time: message.readUIntBE(timeAt, 6),
    fudge: message.readUInt16BE(timeAt + 6),
    mac: message.subarray(macAt, macEnd),
    originalId: message.readUInt16BE(macEnd),
    error: message.readUInt16BE(macEnd + 2),
    other: message.subarray(otherAt, otherEnd),
    keyName: message.subarray(nameAt, dataAt - 10),
    algorithm: message.subarray(dataAt, timeAt),
  };
}

/** Verifies the responses to one request in order (RFC 8945 section 5.3.1). */
export class TsigVerifier {
  #previousMac: Buffer;
  #unsigned: Buffer[] = [];
  #isFirst = true;

  /** @param requestMac the signature of the request, which the signature of the response covers. */
  constructor(
    private readonly key: TsigKey,
    requestMac: Buffer,
  ) {
    this.#previousMac = requestMac;
  }

  /** Whether all messages so far are covered by a signature. Trust the content only then. */
  get isComplete(): boolean {
    return !this.#isFirst && this.#unsigned.length === 0;
  }

  /** @param time seconds since 1970. @returns the fault of the signature; undefined when it is valid. */
  faultOf({ bare, tsig }: SignedResponse, time: number): string | undefined {
    if (tsig === undefined && this.#isFirst) return 'it is not signed';
    this.#unsigned.push(bare);
    if (tsig === undefined)
      return this.#unsigned.length > MAX_UNSIGNED ? 'too many of its messages are not signed' : undefined;
    if (!tsig.keyName.equals(encodeName(this.key.name))) return 'it is signed with another key';
    if (!tsig.algorithm.equals(encodeName(this.key.algorithm))) return 'it is signed with another algorithm';
    const variables = this.#isFirst ? variablesOf(tsig) : timersOf(tsig);
    const expected = macOf(this.key, [u16(this.#previousMac.length), this.#previousMac, ...this.#unsigned, variables]);
    const isRight = tsig.mac.length === expected.length && timingSafeEqual(tsig.mac, expected);
    if (!isRight) return 'its signature is wrong';
    if (Math.abs(time - tsig.time) > tsig.fudge) return 'it was signed at another time';
    this.#previousMac = tsig.mac;
    this.#unsigned = [];
    this.#isFirst = false;
    return undefined;
  }
}

function macOf({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(algorithm.replace('hmac-', ''), secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

type Variables = Pick<Tsig, 'keyName' | 'algorithm' | 'time' | 'fudge' | 'error' | 'other'>;

/** RFC 8945 section 4.3.3. */
function variablesOf({ keyName, algorithm, error, other, ...timers }: Variables): Buffer {
  const ttl = [0, 0];
  return Buffer.concat([keyName, u16(CLASS.ANY, ...ttl), algorithm, timersOf(timers), u16(error, other.length), other]);
}

function timersOf({ time, fudge }: Pick<Tsig, 'time' | 'fudge'>): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(time, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}
