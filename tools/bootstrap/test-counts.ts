import { z } from 'zod';

export interface TestCounts {
  passed: number;
  failed: number;
}

const jestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
});

/** Counts a suite that failed before its first test as one failure. */
export function countJest(report: unknown): TestCounts {
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = jestResult.parse(report);
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

/** Fails a suite also when it ran nothing, left no report, or exited with an error after its tests. */
export function judgeSuite(ok: boolean, counts: TestCounts | undefined): TestCounts {
  if (!counts) return { passed: 0, failed: 1 };
  const ranNothing = counts.passed + counts.failed === 0;
  return { passed: counts.passed, failed: counts.failed || (ranNothing || !ok ? 1 : 0) };
}

export function total(all: readonly TestCounts[]): TestCounts {
  const sum = (pick: (counts: TestCounts) => number): number =>
    all.reduce((result, counts) => result + pick(counts), 0);
  return { passed: sum((counts) => counts.passed), failed: sum((counts) => counts.failed) };
}
