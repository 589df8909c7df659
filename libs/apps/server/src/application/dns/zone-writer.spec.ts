import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { FaultyDnsZone } from '../../testing/faulty-dns-zone';
import { DnsFailure, RecordConflict } from './dns-zone.port';
import { WriteNotStarted, type DesiredRecord, ZoneWriter } from './zone-writer';

const EDGE = { target: 'edge.example', ttl: 60 };
const never = new AbortController().signal;

describe('ZoneWriter', () => {
  let zone: FaultyDnsZone;
  let writer: ZoneWriter;
  const removal = (hostname: string, more: Partial<DesiredRecord> = {}): DesiredRecord => ({
    hostname,
    isOurs: (target) => target === EDGE.target,
    endsAt: Infinity,
    ...more,
  });
  const wish = (hostname: string, more: Partial<DesiredRecord> = {}) => removal(hostname, { wanted: EDGE, ...more });

  beforeEach(() => {
    zone = new FaultyDnsZone();
    writer = new ZoneWriter(zone);
  });

  it('makes a record with one call', async () => {
    zone.changeId = 'C1';
    expect(await writer.write(wish('a.example'), never)).toEqual({ now: EDGE, changeId: 'C1' });
    expect([zone.batches.length, zone.looks]).toEqual([1, 0]);
  });

  it('removes a known record with one call', async () => {
    await zone.put('a.example', EDGE.target);
    expect(await writer.write(removal('a.example', { known: EDGE }), never)).toEqual({});
    expect([await zone.targetOf('a.example'), zone.looks]).toEqual([undefined, 0]);
  });

  it('sends together what comes while a call is under way', async () => {
    const names = Array.from({ length: 250 }, (_, i) => `n${i}.example`);
    await Promise.all(names.map((name) => writer.write(wish(name), never)));
    expect(zone.batches.map(({ length }) => length)).toEqual([100, 100, 50]);
    for (const name of names) expect(await zone.targetOf(name)).toBe(EDGE.target);
  });

  it('parts a batch around the changes that do not fit', async () => {
    const names = Array.from({ length: 64 }, (_, i) => `n${i}.example`);
    await zone.put('n7.example', 'stranger.example');
    await zone.put('n40.example', EDGE.target);
    const results = await Promise.allSettled(names.map((name) => writer.write(wish(name), never)));
    const refused = results.flatMap((result, i) => (result.status === 'rejected' ? [[names[i], result.reason]] : []));
    expect(refused).toEqual([['n7.example', expect.objectContaining({ code: 'foreign-record' })]]);
    expect(await zone.targetOf('n7.example')).toBe('stranger.example');
    for (const name of names.filter((each) => each !== 'n7.example'))
      expect(await zone.targetOf(name)).toBe(EDGE.target);
    expect(zone.batches.length).toBeLessThan(30);
  });

  it('takes a record of ours for made, also when the ledger did not know', async () => {
    await zone.put('a.example', EDGE.target, 61);
    expect(await writer.write(wish('a.example'), never)).toEqual({ now: { ...EDGE, ttl: 61 } });
    expect(await writer.write(wish('a.example', { known: EDGE }), never)).toEqual({ now: { ...EDGE, ttl: 61 } });
  });

  it('makes a record anew that somebody has removed', async () => {
    expect(await writer.write(wish('a.example', { known: EDGE }), never)).toEqual({ now: EDGE });
    expect(await zone.targetOf('a.example')).toBe(EDGE.target);
  });

  it('replaces a record of ours that points to where we were before', async () => {
    await zone.put('a.example', 'old-edge.example');
    const isOurs = (target: string) => target === EDGE.target || target === 'old-edge.example';
    expect(await writer.write(wish('a.example', { isOurs }), never)).toEqual({ now: EDGE });
  });

  it('makes a record that a late deletion of the one before does not fit', async () => {
    await zone.put('a.example', EDGE.target);
    const longer = { ...EDGE, ttl: EDGE.ttl + 1 };
    expect(await writer.write(wish('a.example', { known: EDGE, wanted: longer }), never)).toEqual({ now: longer });
    await expect(zone.change([{ hostname: 'a.example', before: EDGE }], never)).rejects.toThrow();
  });

  it('leaves a record alone that lives longer than it has to', async () => {
    const longer = { ...EDGE, ttl: EDGE.ttl + 1 };
    await zone.change([{ hostname: 'a.example', after: longer }], never);
    expect(await writer.write(wish('a.example', { known: longer }), never)).toEqual({ now: longer });
  });

  it.each([
    ['nobody made it', undefined],
    ['somebody else made it', 'stranger.example'],
  ])('removes nothing when %s', async (_why, target) => {
    if (target) await zone.put('a.example', target);
    for (const known of [{}, { known: EDGE }]) {
      expect(await writer.write(removal('a.example', known), never)).toEqual({});
    }
    expect(await zone.targetOf('a.example')).toBe(target);
  });

  it('removes a record of ours that the ledger knows wrongly, or not at all', async () => {
    for (const known of [{}, { known: { ...EDGE, ttl: 300 } }]) {
      await zone.put('a.example', EDGE.target);
      expect(await writer.write(removal('a.example', known), never)).toEqual({});
      expect(await zone.targetOf('a.example')).toBeUndefined();
    }
  });

  it('lets what goes together pass what has to be looked at one by one', async () => {
    const order: string[] = [];
    const write = (each: DesiredRecord) => writer.write(each, never).then(() => order.push(each.hostname));
    const removals = Array.from({ length: 9 }, (_, i) => write(removal(`gone${i}.example`)));
    await Promise.race(removals);
    await Promise.all([...removals, write(wish('a.example'))]);
    expect(order.indexOf('a.example')).toBeLessThan(8);
    expect(order).toHaveLength(10);
  });

  it('slows down when it is asked to', async () => {
    zone.setbacks.push(new DnsFailure('throttled'), new DnsFailure('throttled'));
    expect(await writer.write(wish('a.example'), never)).toEqual({ now: EDGE });
    expect(zone.batches.length).toBe(3);
  });

  it('says what it was that took too long', async () => {
    zone.outage = new DnsFailure('throttled');
    const leaving = new AbortController();
    const written = writer.write(wish('a.example'), leaving.signal);
    while (zone.batches.length === 0) await new Promise(setImmediate);
    const behind = writer.write(wish('b.example'), leaving.signal);
    leaving.abort();
    await expect(written).rejects.toMatchObject({ code: 'throttled' });
    await expect(behind).rejects.toMatchObject({ code: 'throttled' });
  });

  it('lets nobody wait for a call that hangs, and nobody behind it believe that something was sent', async () => {
    zone.setbacks.push('hang');
    const leaving = new AbortController();
    const first = writer.write(wish('a.example'), leaving.signal);
    while (zone.batches.length === 0) await new Promise(setImmediate);
    const second = writer.write(wish('b.example'), leaving.signal);
    leaving.abort();
    await expect(first).rejects.toMatchObject({ code: 'timeout' });
    await expect(second).rejects.toBeInstanceOf(WriteNotStarted);
  });

  it('sends nothing when the time for it is over', async () => {
    await expect(writer.write(wish('a.example', { endsAt: 0 }), never)).rejects.toBeInstanceOf(WriteNotStarted);
    expect(zone.batches).toEqual([]);
  });

  it('passes a failure on to all of the batch and goes on', async () => {
    zone.setbacks.push(new DnsFailure('access-denied'));
    const results = await Promise.allSettled(['a.example', 'b.example'].map((name) => writer.write(wish(name), never)));
    expect(results.map((result) => result.status === 'rejected' && (result.reason as DnsFailure).code)).toEqual([
      'access-denied',
      'access-denied',
    ]);
    expect(await writer.write(wish('c.example'), never)).toEqual({ now: EDGE });
  });

  it('tries later what somebody else was faster with, between the look and the change', async () => {
    zone.setbacks.push(new RecordConflict(), new RecordConflict());
    await expect(writer.write(wish('a.example'), never)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('sends nothing for whoever has left already', async () => {
    await expect(writer.write(wish('a.example'), AbortSignal.abort())).rejects.toBeInstanceOf(WriteNotStarted);
    expect(zone.batches).toEqual([]);
  });

  describe('as time passes', () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('gives up a call that hangs, and goes on with what waits behind it', async () => {
      zone.setbacks.push('hang');
      const first = expect(writer.write(wish('a.example'), never)).rejects.toMatchObject({ code: 'timeout' });
      await jest.advanceTimersByTimeAsync(0);
      const second = writer.write(wish('b.example'), never);
      await jest.advanceTimersByTimeAsync(3_500);
      await first;
      expect(await second).toEqual({ now: EDGE });
    });

    it('does not blame an earlier throttling when something else takes too long', async () => {
      zone.outage = new DnsFailure('throttled');
      const left = new AbortController();
      const throttled = expect(writer.write(wish('a.example'), left.signal)).rejects.toMatchObject({
        code: 'throttled',
      });
      await jest.advanceTimersByTimeAsync(0);
      left.abort();
      await throttled;
      await jest.advanceTimersByTimeAsync(2_000);
      zone.outage = undefined;
      zone.setbacks.push('hang');
      const leaving = new AbortController();
      const hung = expect(writer.write(wish('b.example'), leaving.signal)).rejects.toMatchObject({ code: 'timeout' });
      await jest.advanceTimersByTimeAsync(0);
      leaving.abort();
      await hung;
    });
  });
});
