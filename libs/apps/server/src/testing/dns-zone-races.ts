import { expect } from '@jest/globals';
import { type CnameRecord, type DnsZone, RecordConflict } from '../dns/application/dns-zone.port';

/** Two adapters on one zone, as two instances of the product use them. They share only the zone. */
export interface ZonePair {
  readonly one: DnsZone;
  readonly other: DnsZone;
  /** Returns a name that is not in use yet. */
  readonly newName: () => string;
  /** The CNAME that the DNS serves for a name. */
  readonly lookUp: (hostname: string) => Promise<CnameRecord | undefined>;
}

/** @throws an assertion error when the adapters do not compare and swap. */
export type ZoneRace = (pair: ZonePair) => Promise<void>;

const CREATE_ROUNDS = 50;
const ROUNDS = 20;
const BEFORE: CnameRecord = { target: 'before.example', ttl: 60 };
const ONE: CnameRecord = { target: 'one.example', ttl: 60 };
const OTHER: CnameRecord = { target: 'other.example', ttl: 60 };

/**
 * Properties that must hold when two adapters change one name concurrently. A process-local lock passes with one
 * adapter and fails here: the zone itself must compare its content with the expected one.
 */
export const ZONE_RACES: ReadonlyMap<string, ZoneRace> = new Map([
  ['lets one of two creations win', race(undefined, { after: ONE }, { after: OTHER }, CREATE_ROUNDS)],
  ['lets one of two changes win', race(BEFORE, { before: BEFORE, after: ONE }, { before: BEFORE, after: OTHER })],
  ['lets one of a change and a removal win', race(BEFORE, { before: BEFORE, after: ONE }, { before: BEFORE })],
  ['lets one of two removals win', race(BEFORE, { before: BEFORE }, { before: BEFORE })],
  ['keeps a creation that races with a removal', repeated(createDuringRemoval)],
  ['keeps a creation that follows one of two removals', repeated(removalsAndCreations)],
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

async function createDuringRemoval({ one, other, lookUp }: ZonePair, hostname: string): Promise<void> {
  await change(one, hostname, { after: BEFORE });
  const [isRemoved, isCreated] = await Promise.all([
    isDone(one, hostname, { before: BEFORE }),
    isDone(other, hostname, { after: OTHER }),
  ]);
  expect(isRemoved).toBe(true);
  expect(await lookUp(hostname)).toEqual(isCreated ? OTHER : undefined);
}

/** The slower of two removals must not remove the record that follows the faster one. */
async function removalsAndCreations({ one, other, lookUp }: ZonePair, hostname: string): Promise<void> {
  await change(one, hostname, { after: BEFORE });
  const replace = async (zone: DnsZone, after: CnameRecord) => {
    const isRemoved = await isDone(zone, hostname, { before: BEFORE });
    return { isRemoved, isCreated: await isDone(zone, hostname, { after }) };
  };
  const results = await Promise.all([replace(one, ONE), replace(other, OTHER)]);
  expect(results.filter(({ isRemoved }) => isRemoved)).toHaveLength(1);
  expect(results.filter(({ isCreated }) => isCreated)).toHaveLength(1);
  expect(await lookUp(hostname)).toEqual(results[0].isCreated ? ONE : OTHER);
}

function repeated(run: (pair: ZonePair, hostname: string) => Promise<void>, rounds = ROUNDS): ZoneRace {
  return async (pair) => {
    for (let round = 0; round < rounds; round += 1) await run(pair, pair.newName());
  };
}

async function change(zone: DnsZone, hostname: string, wanted: Change): Promise<void> {
  await zone.change([{ hostname, ...wanted }], new AbortController().signal);
}

/** Whether the zone accepted the change. False on a conflict; other failures are thrown. */
async function isDone(zone: DnsZone, hostname: string, wanted: Change): Promise<boolean> {
  try {
    await change(zone, hostname, wanted);
    return true;
  } catch (error) {
    if (error instanceof RecordConflict) return false;
    throw error;
  }
}
