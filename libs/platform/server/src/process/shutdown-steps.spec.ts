import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ShutdownSteps } from './shutdown-steps';

const NEVER = new Promise<void>(() => undefined);

describe('ShutdownSteps', () => {
  let log: { warn: jest.Mock; error: jest.Mock };

  beforeEach(() => {
    log = { warn: jest.fn(), error: jest.fn() };
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] });
  });
  afterEach(() => void jest.useRealTimers());

  it('waits for all steps, and leaves no timer', async () => {
    const finished: string[] = [];
    const step = async (name: string, turns: number) => {
      for (let i = 0; i < turns; i += 1) await new Promise(setImmediate);
      finished.push(name);
    };
    await new ShutdownSteps(log, 0).wait({
      jobs: step('jobs', 3),
      databases: step('databases', 1),
      tracing: undefined,
    });
    expect(finished).toEqual(['databases', 'jobs']);
    expect(log.warn).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('names a step that does not finish within the limit of the shutdown, and goes on', async () => {
    const steps = new ShutdownSteps(log, 25_000);
    let hasEnded = false;
    const first = steps.wait({ jobs: NEVER, tracing: Promise.resolve() }).then(() => (hasEnded = true));
    await jest.advanceTimersByTimeAsync(27_999);
    expect(hasEnded).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await first;
    expect(log.warn.mock.calls).toEqual([[{ step: 'jobs' }, 'a shutdown step did not finish']]);
    // Process managers wait 29 s.
    const last = steps.wait({ databases: NEVER });
    await jest.advanceTimersByTimeAsync(250);
    await last;
    expect(log.warn).toHaveBeenLastCalledWith({ step: 'databases' }, 'a shutdown step did not finish');
  });

  it('logs a step that fails, and throws its error after the other steps', async () => {
    const failure = new Error('the port is broken');
    let isClosed = false;
    const others = new Promise(setImmediate).then(() => (isClosed = true));
    const wait = new ShutdownSteps(log, 0).wait({ management: Promise.reject(failure), databases: others });
    await expect(wait).rejects.toBe(failure);
    expect(isClosed).toBe(true);
    expect(log.error.mock.calls).toEqual([[{ step: 'management', err: failure }, 'a shutdown step failed']]);
  });
});
