import { CLASS, type DraftRecord, TYPE, UnwritableMessage } from '../../../dns/adapters/rfc2136/message';
import { failureOf, NameServerClient, type Rfc2136Options } from '../../../dns/adapters/rfc2136/name-server-client';
import { RCODE } from '../../../dns/adapters/rfc2136/response-reader';
import { DnsFailure } from '../../../dns/application/dns-zone.port';
import { ChallengeZone } from '../../application/challenge-zone.port';
import { CHALLENGE_TTL_SECONDS } from '../../domain/challenge-record';

/**
 * Challenge records on a name server that accepts signed updates (RFC 2136). Adding a record that exists and removing
 * one that does not change nothing (section 3.4.2), so that no update needs a condition.
 */
export class Rfc2136ChallengeZone extends ChallengeZone {
  readonly #client: NameServerClient;

  constructor(options: Rfc2136Options) {
    super();
    this.#client = new NameServerClient(options);
  }

  add(name: string, value: string, signal: AbortSignal): Promise<void> {
    return this.#update({ ...recordOf(name, value), class: CLASS.IN, ttl: CHALLENGE_TTL_SECONDS }, signal);
  }

  remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    return this.#update({ ...recordOf(name, value), class: CLASS.NONE, ttl: 0 }, signal);
  }

  async #update(record: DraftRecord, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const rcode = await this.#client.update({ updates: [record] }, signal).catch((error: unknown) => {
      throw error instanceof UnwritableMessage ? new DnsFailure('invalid-record', { cause: error }) : error;
    });
    if (rcode !== RCODE.NOERROR) throw failureOf(rcode);
  }
}

/** A TXT record of one text, which its length precedes (RFC 1035, section 3.3.14). */
function recordOf(name: string, value: string): Pick<DraftRecord, 'name' | 'type' | 'data'> {
  const text = Buffer.from(value, 'latin1');
  return { name, type: TYPE.TXT, data: Buffer.concat([Buffer.from([text.length]), text]) };
}
