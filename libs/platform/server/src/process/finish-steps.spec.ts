import { describe, expect, it, jest } from '@jest/globals';
import { finishSteps } from './finish-steps';

const NEVER = new Promise<void>(() => undefined);

describe('finishSteps', () => {
  it('waits for all steps', async () => {
    const warn = jest.fn();
    const finished: string[] = [];
    const step = async (name: string, turns: number) => {
      for (let i = 0; i < turns; i += 1) await new Promise(setImmediate);
      finished.push(name);
    };
    await finishSteps({ jobs: step('jobs', 3), databases: step('databases', 1), tracing: undefined }, { warn });
    expect(finished).toEqual(['databases', 'jobs']);
    expect(warn).not.toHaveBeenCalled();
  });

  it('names a step that does not finish, and goes on', async () => {
    const warn = jest.fn();
    await finishSteps({ jobs: NEVER, databases: Promise.resolve() }, { warn }, 1);
    expect(warn.mock.calls).toEqual([[{ step: 'jobs', limit_ms: 1 }, 'a step of the stop did not finish']]);
  });

  it('throws the error of a step', async () => {
    const failed = Promise.reject(new Error('the port is broken'));
    await expect(finishSteps({ management: failed, jobs: NEVER }, { warn: jest.fn() }, 1_000)).rejects.toThrow(
      'the port is broken',
    );
  });
});
