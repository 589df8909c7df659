import { expect, it } from '@jest/globals';
import { ThroughputMeter, secondsLeft } from './throughput-meter';

it('measures the throughput of the last seconds', () => {
  const meter = new ThroughputMeter();
  expect(meter.perSecond()).toBeUndefined();
  for (let second = 0; second <= 10; second += 1) meter.observe(second * 1_000, second * 1_000);
  expect(meter.perSecond()).toBe(1_000);
  for (let second = 11; second <= 30; second += 1) meter.observe(10_000 + (second - 10) * 5_000, second * 1_000);
  expect(meter.perSecond()).toBe(5_000);
  meter.reset();
  expect(meter.perSecond()).toBeUndefined();
});

it('estimates the remaining time', () => {
  expect([secondsLeft(10, 4), secondsLeft(10, 0), secondsLeft(10, undefined)]).toEqual([3, undefined, undefined]);
});
