import { CodedFailure } from '@homeport/platform/server/observability';
import { DnsFailure } from '../../application/dns-zone.port';
import { type MessageDraft } from './message';
import { parseSignedResponse, type SignedResponse, type Tsig, type TsigKey, TsigVerifier } from './tsig';

export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  YXRRSET: 7,
  NXRRSET: 8,
  NOTAUTH: 9,
  NOTZONE: 10,
} as const;

/** Servers send these without a signature, because they do not have the zone and therefore no key to sign with. */
const REFUSALS: readonly number[] = [RCODE.REFUSED, RCODE.NOTAUTH];
/** RFC 8945 section 5.2. */
const SIGNATURE_ERRORS: Readonly<Record<number, readonly [string, string]>> = {
  16: ['BADSIG', 'the server has a different secret for this key'],
  17: ['BADKEY', 'the server has no key of this name and algorithm'],
  18: ['BADTIME', 'the clocks of the two machines differ too much'],
  22: ['BADTRUNC', 'the server requires a longer signature'],
};

const RESPONSE_BIT = 0x8000;
const TRUNCATED_BIT = 0x0200;
const OPCODE_OF = { query: 0, update: 5 } as const;

interface RequestHeader {
  readonly id: number;
  readonly opcode: MessageDraft['opcode'];
}

/** Parses the responses to one request. Rejects responses that the server has not signed. */
export class ResponseReader {
  readonly #verifier: TsigVerifier;

  /** @param requestMac the signature of the request. */
  constructor(
    private readonly request: RequestHeader,
    key: TsigKey,
    requestMac: Buffer,
  ) {
    this.#verifier = new TsigVerifier(key, requestMac);
  }

  /**
   * @param time seconds since 1970.
   * @returns `bare`: the message without its signature; `isTrusted`: whether all messages so far are covered by a
   * signature.
   * @throws {DnsFailure} `access-denied` when the server rejects the signature of the request, `provider-unavailable`
   * when the message is not a valid response to the request.
   */
  read(message: Buffer, time: number): { readonly rcode: number; readonly bare: Buffer; readonly isTrusted: boolean } {
    const answer = parseResponse(message);
    const flags = message.readUInt16BE(2);
    const rcode = flags & 0xf;
    if (message.readUInt16BE(0) !== this.request.id) throw invalidResponse('it has the id of another request');
    if ((flags & RESPONSE_BIT) === 0 || ((flags >> 11) & 0xf) !== OPCODE_OF[this.request.opcode]) {
      throw invalidResponse('it is not a response to this kind of request');
    }
    if (flags & TRUNCATED_BIT) throw invalidResponse('it is truncated');
    // A server without the shared key cannot sign. A rejection is the only unsigned response that is accepted.
    if (rcode === RCODE.NOTAUTH && answer.tsig?.error) throw signatureRejected(answer.tsig);
    if (REFUSALS.includes(rcode) && !answer.tsig) return { rcode, bare: answer.bare, isTrusted: false };
    const fault = this.#verifier.faultOf(answer, time);
    if (fault !== undefined) throw invalidResponse(fault);
    return { rcode, bare: answer.bare, isTrusted: this.#verifier.isComplete };
  }
}

function parseResponse(message: Buffer): SignedResponse {
  try {
    return parseSignedResponse(message);
  } catch (cause) {
    throw new DnsFailure('provider-unavailable', { cause });
  }
}

function signatureRejected({ error }: Tsig): DnsFailure {
  const [code, reason] = SIGNATURE_ERRORS[error] ?? [`TSIG_${error}`, 'the server gives no reason'];
  const cause = new CodedFailure(code, `the name server refused our signature, ${code}: ${reason}`);
  return new DnsFailure('access-denied', { cause });
}

function invalidResponse(reason: string): DnsFailure {
  return new DnsFailure('provider-unavailable', {
    cause: new CodedFailure('BAD_ANSWER', `invalid response of the name server: ${reason}`),
  });
}
