import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { encodeName, u16 } from './message';
import { readAnswerSection } from './message-reader';

const message = (...records: readonly Buffer[]): Buffer =>
  Buffer.concat([u16(1, 0x8400, 1, records.length, 0, 0), encodeName('apps.example.com'), u16(5, 1), ...records]);
const record = (name: Buffer, type: number, data: Buffer): Buffer =>
  Buffer.concat([name, u16(type, 1, 0, 60, data.length), data]);
/** Pointers to the name of the question and to its second label. */
const [QUESTION, PARENT] = [u16(0xc00c), u16(0xc011)] as const;
const label = (text: string, rest: Buffer) => Buffer.concat([Buffer.from([text.length]), Buffer.from(text), rest]);

describe(readAnswerSection.name, () => {
  it('reads names with pointers, and only the data of CNAME records', () => {
    const answer = message(
      record(QUESTION, 5, label('EDGE', PARENT)),
      record(label('a.b\\', QUESTION), 16, Buffer.from([2, 0xff, 0xff])),
      record(label('*', QUESTION), 65_534, Buffer.from([0xc0])),
    );
    expect(readAnswerSection(answer)).toEqual([
      { name: 'apps.example.com', type: 5, ttl: 60, target: 'edge.example.com' },
      { name: 'a\\046b\\092.apps.example.com', type: 16, ttl: 60 },
      { name: '*.apps.example.com', type: 65_534, ttl: 60 },
    ]);
  });

  it.each<[string, Buffer]>([
    ['points to itself', u16(0xc022)],
    ['points forward', u16(0xc0ff)],
    ['has no end', label('x'.repeat(60), Buffer.alloc(0))],
    ['points back into a loop', label('a', u16(0xc022))],
    [
      'is too long',
      Buffer.concat([...Array.from({ length: 4 }, () => label('x'.repeat(63), Buffer.alloc(0))), QUESTION]),
    ],
  ])('rejects a name that %s', (_, name) => {
    expect(() => readAnswerSection(message(record(name, 1, Buffer.alloc(0))))).toThrow(/./);
  });

  it('parses or rejects any bytes', () => {
    const whole = message(record(QUESTION, 5, label('edge', PARENT)), record(label('x', QUESTION), 1, Buffer.alloc(4)));
    const mutated = fc
      .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 })
      .map((changes) => changes.reduce((all, [at, value]) => (all.writeUInt8(value, at), all), Buffer.from(whole)));
    const read = (bytes: Buffer): void => {
      try {
        readAnswerSection(bytes);
      } catch (error) {
        expect(Object(error).name).toBe('RangeError');
      }
    };
    fc.assert(fc.property(mutated, read), { numRuns: 5_000 });
  });
});
