import { expect, it } from '@jest/globals';
import { Pace, secondsLeft } from './pace';

it('is what went in the last seconds', () => {
  const pace = new Pace();
  expect(pace.perSecond()).toBeUndefined();
  for (let second = 0; second <= 10; second += 1) pace.observe(second * 1_000, second * 1_000);
  expect(pace.perSecond()).toBe(1_000);
  for (let second = 11; second <= 30; second += 1) pace.observe(10_000 + (second - 10) * 5_000, second * 1_000);
  expect(pace.perSecond()).toBe(5_000);
  pace.restart();
  expect(pace.perSecond()).toBeUndefined();
});

it('tells the time that is left', () => {
  expect([secondsLeft(10, 4), secondsLeft(10, 0), secondsLeft(10, undefined)]).toEqual([3, undefined, undefined]);
});
