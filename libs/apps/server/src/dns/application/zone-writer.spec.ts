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
    isManaged: (target) => target === EDGE.target,
    sendDeadline: Infinity,
    ...more,
  });
  const desired = (hostname: string, more: Partial<DesiredRecord> = {}) =>
    removal(hostname, { desired: EDGE, ...more });

  beforeEach(() => {
    zone = new FaultyDnsZone();
    writer = new ZoneWriter(zone);
  });

  it('creates a record with one call', async () => {
    zone.changeId = 'C1';
    expect(await writer.write(desired('a.example'), never)).toEqual({ record: EDGE, changeId: 'C1' });
    expect([zone.batches.length, zone.looks]).toEqual([1, 0]);
  });

  it('removes a known record with one call', async () => {
    await zone.put('a.example', EDGE.target);
    expect(await writer.write(removal('a.example', { known: EDGE }), never)).toEqual({});
    expect([await zone.targetOf('a.example'), zone.looks]).toEqual([undefined, 0]);
  });

  it('batches changes that arrive during a call', async () => {
    const names = Array.from({ length: 250 }, (_, i) => `n${i}.example`);
    await Promise.all(names.map((name) => writer.write(desired(name), never)));
    expect(zone.batches.map(({ length }) => length)).toEqual([100, 100, 50]);
    for (const name of names) expect(await zone.targetOf(name)).toBe(EDGE.target);
  });

  it('splits a batch to isolate a conflicting change', async () => {
    const names = Array.from({ length: 64 }, (_, i) => `n${i}.example`);
    await zone.put('n7.example', 'stranger.example');
    await zone.put('n40.example', EDGE.target);
    const results = await Promise.allSettled(names.map((name) => writer.write(desired(name), never)));
    const refused = results.flatMap((result, i) => (result.status === 'rejected' ? [[names[i], result.reason]] : []));
    expect(refused).toEqual([['n7.example', expect.objectContaining({ code: 'foreign-record' })]]);
    expect(await zone.targetOf('n7.example')).toBe('stranger.example');
    for (const name of names.filter((each) => each !== 'n7.example'))
      expect(await zone.targetOf(name)).toBe(EDGE.target);
    expect(zone.batches.length).toBeLessThan(30);
  });

  it('reads the records of few conflicting changes instead of halving them further', async () => {
    const names = ['a.example', 'b.example', 'c.example', 'd.example'];
    for (const name of names) await zone.put(name, EDGE.target);
    await Promise.all(names.map((name) => writer.write(desired(name), never)));
    expect([zone.batches.length, zone.looks]).toEqual([1, 4]);
  });

  it('accepts an existing managed record that the ledger did not know', async () => {
    await zone.put('a.example', EDGE.target, 61);
    expect(await writer.write(desired('a.example'), never)).toEqual({ record: { ...EDGE, ttl: 61 } });
    expect(await writer.write(desired('a.example', { known: EDGE }), never)).toEqual({ record: { ...EDGE, ttl: 61 } });
  });

  it('recreates a record that was removed by others', async () => {
    expect(await writer.write(desired('a.example', { known: EDGE }), never)).toEqual({ record: EDGE });
    expect(await zone.targetOf('a.example')).toBe(EDGE.target);
  });

  it('replaces a managed record that points to a former distribution', async () => {
    await zone.put('a.example', 'old-edge.example');
    const isManaged = (target: string) => target === EDGE.target || target === 'old-edge.example';
    expect(await writer.write(desired('a.example', { isManaged }), never)).toEqual({ record: EDGE });
  });

  it('creates a record that a late removal of the previous one does not match', async () => {
    await zone.put('a.example', EDGE.target);
    const longer = { ...EDGE, ttl: EDGE.ttl + 1 };
    expect(await writer.write(desired('a.example', { known: EDGE, desired: longer }), never)).toEqual({
      record: longer,
    });
    await expect(zone.change([{ hostname: 'a.example', before: EDGE }], never)).rejects.toThrow();
  });

  it('keeps a record with a longer TTL than needed', async () => {
    const longer = { ...EDGE, ttl: EDGE.ttl + 1 };
    await zone.change([{ hostname: 'a.example', after: longer }], never);
    expect(await writer.write(desired('a.example', { known: longer }), never)).toEqual({ record: longer });
  });

  it.each([
    ['there is no record', undefined],
    ['the record is foreign', 'stranger.example'],
  ])('removes nothing when %s', async (_why, target) => {
    if (target) await zone.put('a.example', target);
    for (const known of [{}, { known: EDGE }]) {
      expect(await writer.write(removal('a.example', known), never)).toEqual({});
    }
    expect(await zone.targetOf('a.example')).toBe(target);
  });

  it('removes a managed record that the ledger does not know, or knows incorrectly', async () => {
    for (const known of [{}, { known: { ...EDGE, ttl: 300 } }]) {
      await zone.put('a.example', EDGE.target);
      expect(await writer.write(removal('a.example', known), never)).toEqual({});
      expect(await zone.targetOf('a.example')).toBeUndefined();
    }
  });

  it('writes batches between changes that are checked one by one', async () => {
    const order: string[] = [];
    const write = (each: DesiredRecord) => writer.write(each, never).then(() => order.push(each.hostname));
    const removals = Array.from({ length: 9 }, (_, i) => write(removal(`gone${i}.example`)));
    await Promise.race(removals);
    await Promise.all([...removals, write(desired('a.example'))]);
    expect(order.indexOf('a.example')).toBeLessThan(8);
    expect(order).toHaveLength(10);
  });

  it('backs off when it is throttled', async () => {
    zone.setbacks.push(new DnsFailure('throttled'), new DnsFailure('throttled'));
    expect(await writer.write(desired('a.example'), never)).toEqual({ record: EDGE });
    expect(zone.batches.length).toBe(3);
  });

  it('reports throttling as the reason of an abort', async () => {
    zone.outage = new DnsFailure('throttled');
    const abort = new AbortController();
    const written = writer.write(desired('a.example'), abort.signal);
    while (zone.batches.length === 0) await new Promise(setImmediate);
    const behind = writer.write(desired('b.example'), abort.signal);
    abort.abort();
    await expect(written).rejects.toMatchObject({ code: 'throttled' });
    await expect(behind).rejects.toMatchObject({ code: 'throttled' });
  });

  it('rejects with a timeout for a hanging call, and as not started for changes behind it', async () => {
    zone.setbacks.push('hang');
    const abort = new AbortController();
    const first = writer.write(desired('a.example'), abort.signal);
    while (zone.batches.length === 0) await new Promise(setImmediate);
    const second = writer.write(desired('b.example'), abort.signal);
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: 'timeout' });
    await expect(second).rejects.toBeInstanceOf(WriteNotStarted);
  });

  it('sends nothing when the caller stops waiting while the record is read', async () => {
    const abort = new AbortController();
    zone.find = async () => {
      abort.abort();
      return undefined;
    };
    const written = writer.write(desired('a.example', { known: EDGE }), abort.signal);
    await expect(written).rejects.toBeInstanceOf(WriteNotStarted);
    await writer.write(desired('b.example'), never);
    expect(zone.batches.flat().map(({ hostname }) => hostname)).toEqual(['b.example']);
  });

  it('reports a timeout when a change hangs that was throttled before', async () => {
    zone.setbacks.push(new DnsFailure('throttled'), 'hang');
    const abort = new AbortController();
    const written = writer.write(desired('a.example'), abort.signal);
    while (zone.batches.length < 2) await new Promise(setImmediate);
    abort.abort();
    await expect(written).rejects.toMatchObject({ code: 'timeout' });
  });

  it('sends nothing after the deadline', async () => {
    await expect(writer.write(desired('a.example', { sendDeadline: 0 }), never)).rejects.toBeInstanceOf(
      WriteNotStarted,
    );
    expect(zone.batches).toEqual([]);
  });

  it('passes a failure on to the whole batch, and continues', async () => {
    zone.setbacks.push(new DnsFailure('access-denied'));
    const results = await Promise.allSettled(
      ['a.example', 'b.example'].map((name) => writer.write(desired(name), never)),
    );
    expect(results.map((result) => result.status === 'rejected' && (result.reason as DnsFailure).code)).toEqual([
      'access-denied',
      'access-denied',
    ]);
    expect(await writer.write(desired('c.example'), never)).toEqual({ record: EDGE });
  });

  it('reports a retryable error when the record changes between check and write', async () => {
    zone.setbacks.push(new RecordConflict(), new RecordConflict());
    await expect(writer.write(desired('a.example'), never)).rejects.toMatchObject({ code: 'provider-unavailable' });
  });

  it('sends nothing for an aborted caller', async () => {
    await expect(writer.write(desired('a.example'), AbortSignal.abort())).rejects.toBeInstanceOf(WriteNotStarted);
    expect(zone.batches).toEqual([]);
  });

  describe('with fake timers', () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    it('times out a hanging call, and continues with the changes behind it', async () => {
      zone.setbacks.push('hang');
      const first = expect(writer.write(desired('a.example'), never)).rejects.toMatchObject({ code: 'timeout' });
      await jest.advanceTimersByTimeAsync(0);
      const second = writer.write(desired('b.example'), never);
      await jest.advanceTimersByTimeAsync(3_500);
      await first;
      expect(await second).toEqual({ record: EDGE });
    });

    it('does not report earlier throttling for a later timeout', async () => {
      zone.outage = new DnsFailure('throttled');
      const disconnect = new AbortController();
      const throttled = expect(writer.write(desired('a.example'), disconnect.signal)).rejects.toMatchObject({
        code: 'throttled',
      });
      await jest.advanceTimersByTimeAsync(0);
      disconnect.abort();
      await throttled;
      await jest.advanceTimersByTimeAsync(2_000);
      zone.outage = undefined;
      zone.setbacks.push('hang');
      const abort = new AbortController();
      const hung = expect(writer.write(desired('b.example'), abort.signal)).rejects.toMatchObject({ code: 'timeout' });
      await jest.advanceTimersByTimeAsync(0);
      abort.abort();
      await hung;
    });
  });
});
