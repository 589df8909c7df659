import { describe, expect, it } from '@jest/globals';
import { Instance, type Lease } from './instance';
import { RevisionNotFound, RuntimeFailed } from './runtime.errors';
import { StartCheckRecords, type StartCheckResult, StartChecks } from './start-checks';

class StartCheckRecordsInMemory extends StartCheckRecords {
  readonly results: StartCheckResult[] = [];

  override async record(result: StartCheckResult): Promise<void> {
    this.results.push(result);
  }
}

describe('StartChecks', () => {
  const instance = new Instance('one', () => 0);
  instance.remember('listening');

  const open = (check: () => Promise<Lease>, probe: () => Promise<number> = () => Promise.resolve(200)) => {
    const records = new StartCheckRecordsInMemory();
    const errors: unknown[] = [];
    const checks = new StartChecks({
      pool: { check },
      records,
      probe,
      linesOf: () => ['no database'],
      onError: (error) => errors.push(error),
    });
    return { checks, records, errors };
  };
  const started = async () => instance.lease(() => undefined);

  it.each([200, 302, 401, 404])('passes with the status %i', async (status) => {
    const { checks, records } = open(started, () => Promise.resolve(status));
    await checks.run('deploy');
    expect(records.results).toEqual([{ deployId: 'deploy', passed: true, log: ['listening'] }]);
    expect(instance.isIdle).toBe(true);
  });

  it.each([99, 500])('fails with the status %i', async (status) => {
    const { checks, records } = open(started, () => Promise.resolve(status));
    await checks.run('deploy');
    expect(records.results[0]).toMatchObject({
      passed: false,
      reason: expect.stringContaining(`${status}`) as unknown,
    });
  });

  it('fails without an answer', async () => {
    const silent = open(started, () => Promise.reject(new Error('socket hang up')));
    await silent.checks.run('deploy');
    expect(silent.records.results[0]).toMatchObject({ passed: false, log: ['listening'] });
  });

  it('fails with the log when the server does not start', async () => {
    const { checks, records } = open(() => Promise.reject(new RuntimeFailed('start-failed', 'exit code 3')));
    await checks.run('deploy');
    expect(records.results).toEqual([
      { deployId: 'deploy', passed: false, reason: 'exit code 3', log: ['no database'] },
    ]);
  });

  it('records nothing when the runtime itself fails or is busy, so that the check is repeated', async () => {
    const failures = [
      new Error('storage'),
      new RuntimeFailed('queue-full', 'no memory'),
      new RevisionNotFound('deploy'),
    ];
    for (const failure of failures) {
      const { checks, records } = open(() => Promise.reject(failure));
      await checks.run('deploy');
      expect(records.results).toEqual([]);
    }
  });

  it('checks a deploy once at a time', async () => {
    let calls = 0;
    const { checks } = open(() => {
      calls += 1;
      return started();
    });
    await Promise.all([checks.run('deploy'), checks.run('deploy')]);
    expect(calls).toBe(1);
  });
});
