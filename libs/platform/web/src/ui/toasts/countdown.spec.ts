import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Countdown } from './countdown';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('Countdown', () => {
  it('ends after its time', () => {
    const over = jest.fn();
    new Countdown(8_000, over).run();
    jest.advanceTimersByTime(7_999);
    expect(over).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(over).toHaveBeenCalledTimes(1);
  });

  it('stops while paused and continues from there', () => {
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
