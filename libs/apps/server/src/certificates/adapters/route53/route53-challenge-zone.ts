import { setTimeout as pause } from 'node:timers/promises';
import type { Change, ResourceRecordSet } from '@aws-sdk/client-route-53';
import { BatchRefused, type HostedZoneClient } from '../../../dns/adapters/route53/route53-client';
import { hostnameOf } from '../../../dns/adapters/route53/route53-records';
import { DnsFailure } from '../../../dns/application/dns-zone.port';
import { syncDelayMs } from '../../../dns/domain/dns-record';
import { ChallengeZone } from '../../application/challenge-zone.port';
import { CHALLENGE_TTL_SECONDS } from '../../domain/challenge-record';

/**
 * Challenge records in a hosted zone of Amazon Route 53, which stores all values of a name as one set. A batch that
 * deletes the set that was read, and creates the new one, is a compare-and-swap: it is repeated when another instance
 * changed the set in between.
 */
export class Route53ChallengeZone extends ChallengeZone {
  /** @param client shared by all that change the zone, because they share the rate limit. */
  constructor(private readonly client: HostedZoneClient) {
    super();
  }

  async add(name: string, value: string, signal: AbortSignal): Promise<void> {
    // A value that is there is written again: the receipt of this change says when every name server has it.
    const id = await this.#replace(name, (texts) => [...new Set([...texts, textOf(value)])], signal);
    if (id !== undefined) await this.#waitUntilInSync(id, signal);
  }

  async remove(name: string, value: string, signal: AbortSignal): Promise<void> {
    await this.#replace(name, (texts) => texts.filter((text) => text !== textOf(value)), signal);
  }

  /** @returns the id of the change; undefined when nothing has to be waited for. */
  async #replace(
    name: string,
    change: (texts: readonly string[]) => readonly string[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    for (;;) {
      signal.throwIfAborted();
      const present = await this.#find(name, signal);
      const texts = change(textsOf(present));
      if (texts.length === 0 && !present) return undefined;
      try {
        return (await this.client.change(changesTo(name, present, texts), signal)).id;
      } catch (error) {
        if (!(error instanceof BatchRefused)) throw error;
        // The set has changed since it was read. A batch that the zone rejects for another reason fails for good.
        if (isSame(present, await this.#find(name, signal))) throw new DnsFailure('invalid-record', error);
      }
    }
  }

  async #find(name: string, signal: AbortSignal): Promise<ResourceRecordSet | undefined> {
    const from = { StartRecordName: name, StartRecordType: 'TXT', MaxItems: 1 } as const;
    const { ResourceRecordSets: [set] = [] } = await this.client.list(from, signal, 'urgent');
    return set?.Type === 'TXT' && hostnameOf(set) === name ? set : undefined;
  }

  async #waitUntilInSync(id: string, signal: AbortSignal): Promise<void> {
    for (let checks = 0; !(await this.client.isInSync(id, signal)); checks += 1) {
      await pause(syncDelayMs(checks), undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function changesTo(name: string, present: ResourceRecordSet | undefined, texts: readonly string[]): Change[] {
  const records = texts.map((Value) => ({ Value }));
  const next = { Name: name, Type: 'TXT', TTL: CHALLENGE_TTL_SECONDS, ResourceRecords: records } as const;
  return [
    ...(present ? [{ Action: 'DELETE', ResourceRecordSet: present } as const] : []),
    ...(texts.length > 0 ? [{ Action: 'CREATE', ResourceRecordSet: next } as const] : []),
  ];
}

/** The values in the form of Route 53. */
function textsOf(set: ResourceRecordSet | undefined): readonly string[] {
  return (set?.ResourceRecords ?? []).map(({ Value = '' }) => Value);
}

function isSame(one: ResourceRecordSet | undefined, other: ResourceRecordSet | undefined): boolean {
  return one?.TTL === other?.TTL && JSON.stringify(textsOf(one)) === JSON.stringify(textsOf(other));
}

/** A text in quotation marks. */
function textOf(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`;
}
