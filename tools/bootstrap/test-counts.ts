import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export interface TestCounts {
  passed: number;
  failed: number;
  /** What failed, for the end of the output: a log may keep only its last part. */
  failures?: readonly string[] | undefined;
}

const jestTest = z.object({
  fullName: z.string(),
  status: z.string(),
  failureMessages: z.array(z.string()).default([]),
});
const jestFile = z.object({
  name: z.string(),
  status: z.string(),
  message: z.string().default(''),
  assertionResults: z.array(jestTest),
});
const jestResult = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numRuntimeErrorTestSuites: z.number(),
  testResults: z.array(jestFile).default([]),
});
/** Lines of each failure in the list at the end of the gate. */
const FAILURE_LINES = 12;

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

/** Describes each failed test, and each file that failed before its first test, in a few lines. */
export function describeJestFailures(report: unknown): string[] {
  const { testResults } = jestResult.parse(report);
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && !failed.length) return [failureText(name, message)];
    return failed.map(({ fullName, failureMessages }) =>
      failureText(`${name} › ${fullName}`, failureMessages.join('\n')),
    );
  });
}

function failureText(name: string, message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  const filled = lines.filter((line) => line.trim()).slice(0, FAILURE_LINES);
  return [`failed: ${name}`, ...filled.map((line) => `  ${line}`)].join('\n');
}

export function total(all: readonly TestCounts[]): TestCounts & { failures: readonly string[] } {
  const sum = (pick: (counts: TestCounts) => number): number =>
    all.reduce((result, counts) => result + pick(counts), 0);
  const failures = all.flatMap((counts) => counts.failures ?? []);
  return { passed: sum((counts) => counts.passed), failed: sum((counts) => counts.failed), failures };
}
