import { expect } from '@jest/globals';
import { type CnameRecord, type DnsZone, RecordConflict } from '../application/dns/dns-zone.port';

/** Two adapters on one zone, as two instances of the product have them. They share nothing but the zone itself. */
export interface ZonePair {
  readonly one: DnsZone;
  readonly other: DnsZone;
  /** Answers a name that nobody has used yet. */
  readonly newName: () => string;
  /** The CNAME of a name in the DNS itself. */
  readonly lookUp: (hostname: string) => Promise<CnameRecord | undefined>;
}

/** @throws when the adapters do not compare and swap, as an assertion of the test framework. */
export type ZoneRace = (pair: ZonePair) => Promise<void>;

const CLAIM_ROUNDS = 50;
const ROUNDS = 20;
const BEFORE: CnameRecord = { target: 'before.example', ttl: 60 };
const ONE: CnameRecord = { target: 'one.example', ttl: 60 };
const OTHER: CnameRecord = { target: 'other.example', ttl: 60 };

/**
 * What must hold when two adapters change one name at once. A lock in the process passes with one adapter and fails
 * here: the zone itself has to compare what it holds with what the change expects.
 */
export const ZONE_RACES: ReadonlyMap<string, ZoneRace> = new Map([
  ['lets one of two claims win', race(undefined, { after: ONE }, { after: OTHER }, CLAIM_ROUNDS)],
  ['lets one of two changes win', race(BEFORE, { before: BEFORE, after: ONE }, { before: BEFORE, after: OTHER })],
  ['lets one of a change and a removal win', race(BEFORE, { before: BEFORE, after: ONE }, { before: BEFORE })],
  ['lets one of two removals win', race(BEFORE, { before: BEFORE }, { before: BEFORE })],
  ['keeps a claim that meets a removal', repeated(claimDuringRemoval)],
  ['keeps a claim that follows one of two removals', repeated(removalsAndClaims)],
]);

interface Change {
  readonly before?: CnameRecord;
  readonly after?: CnameRecord;
}

function race(initial: CnameRecord | undefined, one: Change, other: Change, rounds = ROUNDS): ZoneRace {
  const run = async (pair: ZonePair, hostname: string) => {
    if (initial) await change(pair.one, hostname, { after: initial });
    const results = await Promise.all([isDone(pair.one, hostname, one), isDone(pair.other, hostname, other)]);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await pair.lookUp(hostname)).toEqual((results[0] ? one : other).after);
  };
  return repeated(run, rounds);
}

async function claimDuringRemoval({ one, other, lookUp }: ZonePair, hostname: string): Promise<void> {
  await change(one, hostname, { after: BEFORE });
  const [isRemoved, isClaimed] = await Promise.all([
    isDone(one, hostname, { before: BEFORE }),
    isDone(other, hostname, { after: OTHER }),
  ]);
  expect(isRemoved).toBe(true);
  expect(await lookUp(hostname)).toEqual(isClaimed ? OTHER : undefined);
}

/** The slower of two removals must not take away what the faster one has made room for. */
async function removalsAndClaims({ one, other, lookUp }: ZonePair, hostname: string): Promise<void> {
  await change(one, hostname, { after: BEFORE });
  const replace = async (zone: DnsZone, after: CnameRecord) => {
    const isRemoved = await isDone(zone, hostname, { before: BEFORE });
    return { isRemoved, isClaimed: await isDone(zone, hostname, { after }) };
  };
  const results = await Promise.all([replace(one, ONE), replace(other, OTHER)]);
  expect(results.filter(({ isRemoved }) => isRemoved)).toHaveLength(1);
  expect(results.filter(({ isClaimed }) => isClaimed)).toHaveLength(1);
  expect(await lookUp(hostname)).toEqual(results[0].isClaimed ? ONE : OTHER);
}

function repeated(run: (pair: ZonePair, hostname: string) => Promise<void>, rounds = ROUNDS): ZoneRace {
  return async (pair) => {
    for (let round = 0; round < rounds; round += 1) await run(pair, pair.newName());
  };
}

async function change(zone: DnsZone, hostname: string, wanted: Change): Promise<void> {
  await zone.change([{ hostname, ...wanted }], new AbortController().signal);
}

/** Whether the zone took the change, as opposed to a conflict; other failures are raised. */
async function isDone(zone: DnsZone, hostname: string, wanted: Change): Promise<boolean> {
  try {
    await change(zone, hostname, wanted);
    return true;
  } catch (error) {
    if (error instanceof RecordConflict) return false;
    throw error;
  }
}
