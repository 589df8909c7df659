import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { FakeRuntimeDirectory } from '../../testing/runtime/fake-runtime-directory';
import type { Revision } from '../domain/revision';
import { RevisionNotFound, RuntimeFailed } from './runtime.errors';
import type { FirstRequest } from './runtime.port';
import { StartCheckRecords, type StartCheckResult, StartChecks } from './start-checks';

class StartCheckRecordsInMemory extends StartCheckRecords {
  readonly results: StartCheckResult[] = [];

  override async record(result: StartCheckResult): Promise<void> {
    this.results.push(result);
  }
}

describe('StartChecks', () => {
  const deployId = randomUUID();
  const open = (prepare: (revision: Revision) => Promise<FirstRequest>) => {
    const records = new StartCheckRecordsInMemory();
    const errors: unknown[] = [];
    const flushes: number[] = [];
    const checks = new StartChecks({
      runtime: { prepare },
      directory: new FakeRuntimeDirectory().add(deployId, randomUUID(), 3, 'preview'),
      records,
      linesOf: () => ['no database'],
      flushLogs: async () => void flushes.push(records.results.length),
      onError: (error) => errors.push(error),
    });
    return { checks, records, errors, flushes };
  };
  const answered = (status: number | undefined, error = 'none') =>
    Promise.resolve({ status, error, log: ['listening'] });

  it.each([200, 302, 401, 404])('passes with the status %i', async (status) => {
    const { checks, records } = open(() => answered(status));
    await checks.run(deployId);
    expect(records.results).toEqual([{ deployId, passed: true, log: ['listening'] }]);
  });

  it('starts the current version with the variables of the scope of the deploy', async () => {
    const prepared: Revision[] = [];
    const { checks } = open((revision) => {
      prepared.push(revision);
      return answered(200);
    });
    await checks.run(deployId);
    expect(prepared).toEqual([{ deployId, version: 3, scope: 'preview' }]);
  });

  it.each([99, 500])('fails with the status %i', async (status) => {
    const { checks, records } = open(() => answered(status));
    await checks.run(deployId);
    expect(records.results[0]).toMatchObject({
      passed: false,
      reason: expect.stringContaining(`${status}`) as unknown,
    });
  });

  it('fails without an answer', async () => {
    const { checks, records } = open(() => answered(undefined, 'socket hang up'));
    await checks.run(deployId);
    const reason = 'A request for "/" was not answered: socket hang up.';
    expect(records.results).toEqual([{ deployId, passed: false, reason, log: ['listening'] }]);
  });

  it('fails with the log when the server does not start', async () => {
    const { checks, records } = open(() => Promise.reject(new RuntimeFailed('start-failed', 'exit code 3')));
    await checks.run(deployId);
    expect(records.results).toEqual([{ deployId, passed: false, reason: 'exit code 3', log: ['no database'] }]);
  });

  it('stores the log before the result', async () => {
    const { checks, records, flushes } = open(() => Promise.reject(new RuntimeFailed('start-failed', 'exit code 3')));
    await checks.run(deployId);
    expect([flushes, records.results.length]).toEqual([[0], 1]);
  });

  it('records nothing when the runtime itself fails or is busy, so that the check is repeated', async () => {
    const failures = [
      new Error('storage'),
      new RuntimeFailed('queue-full', 'no memory'),
      new RevisionNotFound(deployId),
    ];
    for (const failure of failures) {
      const { checks, records } = open(() => Promise.reject(failure));
      await checks.run(deployId);
      expect(records.results).toEqual([]);
    }
  });

  it('checks a deploy once at a time', async () => {
    let calls = 0;
    const { checks } = open(() => {
      calls += 1;
      return answered(200);
    });
    await Promise.all([checks.run(deployId), checks.run(deployId)]);
    expect(calls).toBe(1);
  });
});
