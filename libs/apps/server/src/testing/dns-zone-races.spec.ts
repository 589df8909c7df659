import { describe, expect, it } from '@jest/globals';
import { InMemoryDnsZone } from '../dns/adapters/memory/in-memory-dns-zone';
import {
  type ChangeReceipt,
  type CnameRecord,
  type RecordChange,
  RecordConflict,
} from '../dns/application/dns-zone.port';
import { ZONE_RACES, type ZonePair } from './dns-zone-races';

/**
 * Compares and writes in two steps under a process-local lock, as an adapter for an API without compare-and-swap would.
 */
class NonAtomicDnsZone extends InMemoryDnsZone {
  #lock: Promise<unknown> = Promise.resolve();

  constructor(private readonly shared: Map<string, CnameRecord>) {
    super(shared);
  }

  override change(changes: readonly RecordChange[], _signal: AbortSignal): Promise<ChangeReceipt> {
    const done = this.#lock.then(() => this.#compareThenWrite(changes));
    this.#lock = done.catch(() => undefined);
    return done;
  }

  async #compareThenWrite(changes: readonly RecordChange[]): Promise<ChangeReceipt> {
    for (const { hostname, before } of changes) {
      if (this.shared.get(hostname)?.target !== before?.target) throw new RecordConflict();
    }
    // Simulates the network round trip between the read and the write.
    await new Promise(setImmediate);
    for (const { hostname, after } of changes) {
      if (after) this.shared.set(hostname, after);
      else this.shared.delete(hostname);
    }
    return {};
  }
}

function pairOf(Zone: new (records: Map<string, CnameRecord>) => InMemoryDnsZone, isShared: boolean): ZonePair {
  const records = new Map<string, CnameRecord>();
  const one = new Zone(records);
  let names = 0;
  return {
    one,
    other: isShared ? one : new Zone(records),
    newName: () => `race-${names++}.apps.example`,
    lookUp: async (hostname) => records.get(hostname),
  };
}

const RACES = [...ZONE_RACES];
/** The one race in which this adapter is safe too: a creation cannot find the name free before the removal is done. */
const HARMLESS = 'keeps a creation that races with a removal';

describe('an adapter with a process-local lock', () => {
  it.each(RACES.filter(([title]) => title !== HARMLESS))(
    'fails the check "%s" on two adapters',
    async (_title, race) => {
      await expect(race(pairOf(NonAtomicDnsZone, false))).rejects.toThrow(/toHaveLength/);
    },
  );

  it.each(RACES)('passes the check "%s" on one adapter alone', async (_title, race) => {
    await expect(race(pairOf(NonAtomicDnsZone, true))).resolves.toBeUndefined();
  });
});
