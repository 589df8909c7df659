import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import type { TestCounts } from './test-counts.ts';

/** More unstable tests than this fail the gate. */
const UNSTABLE_LIMIT = 3;
const SNAPSHOT_LINES = 60;

const attachment = z.object({ name: z.string(), path: z.string().optional() });
const result = z.object({
  errors: z.array(z.object({ message: z.string().default('') })).default([]),
  attachments: z.array(attachment).default([]),
});
const run = z.object({
  projectName: z.string(),
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(result),
});
const spec = z.object({ title: z.string(), file: z.string(), line: z.number(), tests: z.array(run) });

const suite = z.object({
  specs: z.array(spec).default([]),
  get suites() {
    return z.array(suite).default([]);
  },
});
const report = z.object({ suites: z.array(suite), errors: z.array(z.unknown()).default([]) });

export interface BrowserTest {
  /** Screen size, file, line and title. */
  name: string;
  /** `flaky` tests failed and passed when they ran again. */
  status: z.infer<typeof run>['status'];
  /** The message of the first failure. */
  error: string;
  /** The file that Playwright wrote about the first failure. */
  contextPath: string | undefined;
}

export interface BrowserTests {
  tests: readonly BrowserTest[];
  /** Number of errors outside of tests. */
  otherErrors: number;
}

/** Reads Playwright's JSON report. @throws {ZodError} for another format. */
export function readBrowserTests(json: unknown): BrowserTests {
  const { suites, errors } = report.parse(json);
  return { tests: suites.flatMap(testsOf), otherErrors: errors.length };
}

function testsOf({ specs, suites }: z.infer<typeof suite>): BrowserTest[] {
  const own = specs.flatMap(({ title, file, line, tests }) =>
    tests.map(({ projectName, status, results }): BrowserTest => {
      const failed = results.find(({ errors }) => errors.length);
      return {
        name: `[${projectName}] ${file}:${line} › ${title}`,
        status,
        error: failed?.errors[0]?.message ?? '',
        contextPath: failed?.attachments.find(({ name }) => name === 'error-context')?.path,
      };
    }),
  );
  return [...own, ...suites.flatMap(testsOf)];
}

/** Counts a few unstable tests as passed: a busy machine reveals rare races (decision 0053). */
export function countBrowserTests({ tests, otherErrors }: BrowserTests): TestCounts {
  const count = (status: BrowserTest['status']): number => tests.filter((each) => each.status === status).length;
  const unstable = count('flaky');
  const accepted = unstable <= UNSTABLE_LIMIT;
  return {
    passed: count('expected') + (accepted ? unstable : 0),
    failed: count('unexpected') + (accepted ? 0 : unstable) + otherErrors,
  };
}

/** Describes failed and unstable tests with the page that each of them saw, so that a log alone explains them. */
export async function describeUnexpected(
  { tests }: BrowserTests,
  readText: (path: string) => Promise<string>,
): Promise<string> {
  const described = tests
    .filter(({ status }) => status === 'unexpected' || status === 'flaky')
    .map(async ({ name, status, error, contextPath }) => {
      // The list is printed also when a page file is missing.
      const page = contextPath ? await readText(contextPath).catch(() => '') : '';
      const lines = [...messageOf(error), ...snapshotOf(page).map((line) => `| ${line}`)];
      return [`${status === 'flaky' ? 'unstable' : 'failed'}: ${name}`, ...lines.map((line) => `  ${line}`)].join('\n');
    });
  return (await Promise.all(described)).join('\n\n');
}

/** The lines before the call log and the source, which Playwright's own output shows. */
function messageOf(error: string): string[] {
  const lines = stripVTControlCharacters(error).split('\n');
  const end = lines.findIndex((line) => line.startsWith('Call log:') || /^\s*>?\s*\d+ \|/.test(line));
  return lines.slice(0, end < 0 ? undefined : end).filter((line) => line.trim());
}

/** The page's accessibility tree in Playwright's file about a failure; without the navigation when it is long. */
export function snapshotOf(context: string): readonly string[] {
  const [, block = ''] = /^```yaml\n(.*?)^```$/ms.exec(context) ?? [];
  const all = block.split('\n').slice(0, -1);
  const main = all.findIndex((line) => /^\s*- main\b/.test(line));
  const lines = all.length > SNAPSHOT_LINES && main > 0 ? all.slice(main) : all;
  const more = lines.length - SNAPSHOT_LINES;
  return more > 0 ? [...lines.slice(0, SNAPSHOT_LINES), `… ${more} more lines`] : lines;
}
