import { describe, expect, it } from '@jest/globals';
import dnsPacket from 'dns-packet';
import type { RecordChange } from '../../application/dns-zone.port';
import { encodeMessage, encodeName, TYPE, UnwritableMessage } from './message';
import { nameInUse, prerequisiteOf, updatesOf } from './update';

const ZONE = { name: 'apps.example.com', type: TYPE.SOA };
const CHANGES: readonly RecordChange[] = [
  { hostname: 'new.apps.example.com', after: { target: 'edge.example.net', ttl: 60 } },
  {
    hostname: 'old.apps.example.com',
    before: { target: 'edge.example.net', ttl: 60 },
    after: { target: 'other.example.net', ttl: 30 },
  },
];

const update = (id: number, changes: readonly RecordChange[]) =>
  encodeMessage({
    id,
    opcode: 'update',
    question: ZONE,
    prerequisites: changes.map(prerequisiteOf),
    updates: changes.flatMap(updatesOf),
  });

describe(encodeMessage.name, () => {
  it('writes the same bytes as nsupdate 9.18', () => {
    const header = 'a25f280000010002000300000461707073076578616d706c6503636f6d0000060001';
    const prerequisites =
      '036e6577c00c00ff00fe000000000000' + '036f6c64c00c000500010000000000120465646765076578616d706c65036e657400';
    const updates =
      'c022000500010000003c0002c042' + 'c032000500fe000000000002c042' + 'c032000500010000001e0008056f74686572c047';
    expect(update(0xa25f, CHANGES).toString('hex')).toBe(header + prerequisites + updates);
  });

  it('encodes a test for a name in use, without changes', () => {
    const prerequisites = [nameInUse('x.apps.example.com')];
    const message = encodeMessage({ id: 1, opcode: 'update', question: ZONE, prerequisites });
    expect(message.subarray(34).toString('hex')).toBe('0178c00c00ff00ff000000000000');
    expect(message.subarray(0, 12).toString('hex')).toBe('000128000001000100000000');
  });

  it('encodes a query', () => {
    const message = encodeMessage({ id: 7, opcode: 'query', question: { name: 'A.b.', type: TYPE.AXFR } });
    expect(message.toString('hex')).toBe('000700000001000000000000' + '0161016200' + '00fc0001');
  });

  it('uses a pointer only for offsets that it can hold', () => {
    const changes = Array.from({ length: 200 }, (_, n) => ({
      hostname: `${'x'.repeat(50)}${n}.apps.example.com`,
      before: { target: `${'y'.repeat(50)}${n}.example.net`, ttl: 60 },
    }));
    const message = update(1, changes);
    expect(message.length).toBeGreaterThan(0x4000);
    const read = dnsPacket.decode(message).answers.map(({ name, data }) => [name, data]);
    expect(read).toEqual(changes.map(({ hostname, before }) => [hostname, before.target]));
    const twice = changes.map((change, n) => ({ ...change, hostname: `${n}.${'z'.repeat(60)}.${change.hostname}` }));
    expect(() => update(1, [...changes, ...twice, ...twice])).toThrow(UnwritableMessage);
  });

  it.each(['a..b', '.a', 'ä.example', 'a b', `${'x'.repeat(64)}.example`, 'xx.'.repeat(90)])('rejects %j', (name) => {
    expect(() => encodeName(name)).toThrow(UnwritableMessage);
  });

  it.each([
    ['.', '00'],
    ['*.A.', '012a016100'],
    ['_x.y', '025f78017900'],
  ])('encodes the name %s', (name, hex) => {
    expect(encodeName(name).toString('hex')).toBe(hex);
  });
});
