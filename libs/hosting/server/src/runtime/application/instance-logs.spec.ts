import { describe, expect, it } from '@jest/globals';
import { InstanceLogs, LogRecords, type TimedLine } from './instance-logs';

class LogRecordsInMemory extends LogRecords {
  readonly lines: TimedLine[] = [];
  failure: Error | undefined;

  override async append(lines: readonly TimedLine[]): Promise<void> {
    if (this.failure) throw this.failure;
    this.lines.push(...lines);
  }
}

describe('InstanceLogs', () => {
  const open = (limits = { logBytesPerSecond: 100, logLineBytes: 50 }) => {
    const records = new LogRecordsInMemory();
    const errors: unknown[] = [];
    const clock = { now: 0 };
    const logs = new InstanceLogs({ records, limits, now: () => clock.now, onError: (error) => errors.push(error) });
    const write = (line: string, instanceId = 'one') =>
      logs.add({ appId: 'app', deployId: 'deploy', instanceId, stream: 'stdout', line });
    return { records, errors, logs, write, clock };
  };

  it('stores lines in their order', async () => {
    const { records, logs, write } = open();
    write('a');
    write('b');
    await logs.flush();
    expect(records.lines.map(({ line, stream }) => [line, stream])).toEqual([
      ['a', 'stdout'],
      ['b', 'stdout'],
    ]);
  });

  it('limits each instance and reports how many lines are missing', async () => {
    const { records, logs, write } = open();
    for (let line = 0; line < 10; line += 1) write('x'.repeat(49));
    write('other', 'two');
    await logs.flush();
    expect(records.lines.map(({ line }) => line)).toEqual([
      'x'.repeat(49),
      'x'.repeat(49),
      'other',
      '8 lines dropped.',
    ]);
  });

  it('keeps lines while they cannot be stored', async () => {
    const { records, errors, logs, write } = open();
    records.failure = new Error('down');
    write('a');
    await logs.flush();
    expect(errors).toEqual([records.failure]);
    records.failure = undefined;
    write('b');
    await logs.flush();
    expect(records.lines.map(({ line }) => line)).toEqual(['a', 'b']);
  });

  it('drops the oldest lines when too many characters wait', async () => {
    const { records, logs, write } = open({ logBytesPerSecond: 1024 ** 3, logLineBytes: 16 * 1024 });
    const line = 'x'.repeat(16 * 1024 - 4);
    for (let index = 1_000; index < 4_000; index += 1) write(`${index}${line}`);
    await logs.flush();
    expect([records.lines.length, records.lines.at(0)?.line.slice(0, 4)]).toEqual([2_000, '2000']);
  });

  it('forgets the last lines of a deploy a minute after the last one', () => {
    const { logs, write, clock } = open();
    write('a');
    clock.now = 60_000;
    logs.forget(() => false);
    expect(logs.linesOf('deploy')).toEqual(['a']);
    clock.now = 60_001;
    logs.forget(() => false);
    expect(logs.linesOf('deploy')).toEqual([]);
  });

  it('knows the last 50 lines of a deploy', () => {
    const { logs, write } = open();
    for (let line = 0; line < 60; line += 1) write(String(line), `instance ${line}`);
    expect([logs.linesOf('deploy').length, logs.linesOf('deploy').at(0), logs.linesOf('other')]).toEqual([
      50,
      '10',
      [],
    ]);
  });
});
