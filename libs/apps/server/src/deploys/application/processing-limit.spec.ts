import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { DeployTimeout } from '../domain/deploys.errors';
import { ProcessingLimit } from './processing-limit';

describe('ProcessingLimit', () => {
  let limit: ProcessingLimit;

  beforeEach(() => {
    jest.useFakeTimers();
    limit = new ProcessingLimit({ totalMs: 10_000, idleMs: 1_000 });
  });
  afterEach(() => {
    limit.end();
    jest.useRealTimers();
  });

  it('aborts without progress', () => {
    jest.advanceTimersByTime(999);
    limit.progress();
    jest.advanceTimersByTime(999);
    expect(limit.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(limit.signal.reason).toBeInstanceOf(DeployTimeout);
  });

  it('does not count the time that processing waits for other deploys', () => {
    const resume = [limit.pauseIdle(), limit.pauseIdle()];
    jest.advanceTimersByTime(3_500);
    resume[0]?.();
    jest.advanceTimersByTime(3_500);
    expect(limit.signal.aborted).toBe(false);
    resume[1]?.();
    jest.advanceTimersByTime(999);
    expect(limit.signal.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(limit.signal.aborted).toBe(true);
  });

  it('aborts at the total limit also during a pause', () => {
    limit.pauseIdle();
    jest.advanceTimersByTime(10_000);
    expect(limit.signal.aborted).toBe(true);
  });

  it('leaves no timer when a pause ends after the processing', () => {
    const resume = limit.pauseIdle();
    limit.end();
    resume();
    limit.progress();
    expect(jest.getTimerCount()).toBe(0);
  });
});
