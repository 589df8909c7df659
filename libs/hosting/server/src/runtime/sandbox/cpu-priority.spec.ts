import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import type { ControlGroup } from './control-group';
import { CpuPriority } from './cpu-priority';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

it('lets an instance yield the CPU while it uses much', () => {
  let used = 0;
  const changes: boolean[] = [];
  const group: Pick<ControlGroup, 'cpuMs' | 'yieldCpu'> = {
    cpuMs: () => used,
    yieldCpu: (isYielding) => changes.push(isYielding),
  };
  const priority = new CpuPriority(group);
  const use = (cores: number, seconds: number) => {
    for (let step = 0; step < seconds * 10; step += 1) {
      used += cores * 100;
      jest.advanceTimersByTime(100);
    }
  };
  use(0.2, 10);
  expect(changes).toEqual([]);
  use(1, 10);
  expect(changes).toEqual([true]);
  use(0, 10);
  expect(changes).toEqual([true, false]);
  priority.stop();
  use(1, 10);
  expect(changes).toEqual([true, false]);
});
