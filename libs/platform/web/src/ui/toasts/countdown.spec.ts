import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Countdown } from './countdown';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a countdown', () => {
  it('ends when its time has run', () => {
    const over = jest.fn();
    new Countdown(8_000, over).run();
    jest.advanceTimersByTime(7_999);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('stands still while it is paused, and goes on where it was', () => {
    const over = jest.fn();
    const countdown = new Countdown(8_000, over);
    countdown.run();
    jest.advanceTimersByTime(5_000);
    countdown.pause();
    countdown.pause();
    jest.advanceTimersByTime(60_000);
    countdown.run();
    countdown.run();
    jest.advanceTimersByTime(2_999);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });
});
