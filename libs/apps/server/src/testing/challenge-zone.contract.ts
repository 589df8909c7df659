import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { ChallengeZone } from '../certificates/application/challenge-zone.port';

export interface ChallengeZoneHarness {
  readonly zone: ChallengeZone;
  /** The zone below which names may be used. */
  readonly zoneName: string;
  /** The TXT values that the DNS serves at a name; empty when it has none. */
  readonly lookUp: (name: string) => Promise<readonly string[]>;
}

const [FIRST, SECOND] = ['0Wo-6Hn5LJjV9b1eYzKq3M8sXcT2uRfAgDpIvNhB7_k', 'zY-_1234567890abcdefghijklmnopqrstuvwxyzABCD'];

/** The contract of every `ChallengeZone` adapter. */
export function challengeZoneContract(adapter: string, open: () => ChallengeZoneHarness): void {
  describe(`${adapter} as a challenge zone`, () => {
    const { signal } = new AbortController();
    const fresh = () => `${randomUUID()}.${open().zoneName}`;
    const valuesAt = async (name: string) => [...(await open().lookUp(name))].sort();

    it('serves an added value until it is removed', async () => {
      const name = fresh();
      expect(await valuesAt(name)).toEqual([]);
      await open().zone.add(name, FIRST, signal);
      expect(await valuesAt(name)).toEqual([FIRST]);
      await open().zone.remove(name, FIRST, signal);
      expect(await valuesAt(name)).toEqual([]);
    });

    it('serves several values of a name, and removes each alone', async () => {
      const [name, other] = [fresh(), fresh()];
      await open().zone.add(name, FIRST, signal);
      await open().zone.add(name, SECOND, signal);
      await open().zone.add(other, FIRST, signal);
      expect(await valuesAt(name)).toEqual([FIRST, SECOND].sort());
      await open().zone.remove(name, FIRST, signal);
      expect(await valuesAt(name)).toEqual([SECOND]);
      expect(await valuesAt(other)).toEqual([FIRST]);
    });

    it('adds and removes repeatedly', async () => {
      const name = fresh();
      await open().zone.add(name, FIRST, signal);
      await open().zone.add(name, FIRST, signal);
      expect(await valuesAt(name)).toEqual([FIRST]);
      await open().zone.remove(name, SECOND, signal);
      expect(await valuesAt(name)).toEqual([FIRST]);
      await open().zone.remove(name, FIRST, signal);
      await open().zone.remove(name, FIRST, signal);
      expect(await valuesAt(name)).toEqual([]);
    });

    it('keeps all values that are added and removed at once', async () => {
      const name = fresh();
      await Promise.all([FIRST, SECOND].map((value) => open().zone.add(name, value, signal)));
      expect(await valuesAt(name)).toEqual([FIRST, SECOND].sort());
      await Promise.all([open().zone.remove(name, FIRST, signal), open().zone.add(name, SECOND, signal)]);
      expect(await valuesAt(name)).toEqual([SECOND]);
    });

    it('rejects with the reason of an aborted signal', async () => {
      const name = fresh();
      const reason = new Error('stopped');
      await expect(open().zone.add(name, FIRST, AbortSignal.abort(reason))).rejects.toBe(reason);
      expect(await valuesAt(name)).toEqual([]);
    });
  });
}
