import { describe, expect, it } from '@jest/globals';
import { CpuCredit } from './cpu-credit';

/** Uses a number of cores for some time, in steps of 100 ms. @returns whether the instance is busy after each. */
function use(credit: CpuCredit, from: { at: number; used: number }, cores: number, steps: number): boolean[] {
  return Array.from({ length: steps }, () => {
    from.at += 100;
    from.used += cores * 100;
    credit.update(from.at, from.used);
    return credit.isBusy;
  });
}

describe('CpuCredit', () => {
  it('allows bursts, such as a cold start', () => {
    const now = { at: 0, used: 0 };
    const credit = new CpuCredit(0, 0);
    expect(use(credit, now, 1, 4)).not.toContain(true);
    expect(use(credit, now, 0, 10)).not.toContain(true);
    expect(use(credit, now, 1, 4)).not.toContain(true);
  });

  it('calls an instance busy that uses more than its share, until it is quiet', () => {
    const now = { at: 0, used: 0 };
    const credit = new CpuCredit(0, 0);
    expect(use(credit, now, 1, 5).at(-1)).toBe(true);
    expect(use(credit, now, 1, 50)).not.toContain(false);
    // It earns 30 ms in each step, and is called quiet at 150 ms.
    expect(use(credit, now, 0, 5)).toEqual([true, true, true, true, false]);
  });

  it('allows a share of a core all the time', () => {
    expect(use(new CpuCredit(0, 0), { at: 0, used: 0 }, 0.3, 100)).not.toContain(true);
  });
});
