import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../dev-services/errors.ts';
import { ensureBrowser } from './browser.ts';
import { countBrowserTests, describeUnexpected, readBrowserTests } from './browser-report.ts';
import { BUILD } from './build.ts';
import { root, runNx, runTool } from './commands.ts';
import type { CommandOptions, CommandResult } from './commands.ts';
import { countJest, describeJestFailures, judgeSuite } from './test-counts.ts';
import type { TestCounts } from './test-counts.ts';
import { ensureDebianServices } from './debian-services.ts';
import { secondsSince } from './progress.ts';
import type { Environment } from './settings.ts';

export const PARTS = ['static', 'jest', 'e2e'] as const;
/** The values of `--only`; `unit` is the part of `jest` that needs no build and no services. */
export const SELECTABLE_PARTS = [...PARTS, 'unit'] as const;
export type Part = (typeof SELECTABLE_PARTS)[number];

interface Step {
  title: string;
  run: () => Promise<TestCounts>;
}

/** Far above the duration of any step: a hanging step must end as a failure with a report. */
const STEP_LIMIT_MS = 40 * 60_000;

const reports = join(root, 'tmp');

export interface GateOptions {
  parts: readonly Part[];
  /** Passed to Jest and Playwright. */
  filters: string[];
  env: Environment;
  stop: AbortSignal;
}

/** Returns the steps of the gate for the requested parts, in order. */
export function stepsFor({ parts, filters, env, stop }: GateOptions): Step[] {
  const options: CommandOptions = { env, show: true, signal: stop, limitMs: STEP_LIMIT_MS };
  const nx = (title: string, args: string[]): Step => ({
    title,
    run: async () => asOneTest(await runNx(args, options)),
  });
  // Side by side, because each uses one core.
  const statics = nx('format, lint and types', ['run-many', '-t=format,lint,typecheck', '-p=homeport', '--parallel=2']);
  const build = nx('build', BUILD);
  const unit = { title: 'unit', run: () => runJest(options, ['--selectProjects', 'unit', '--', ...filters]) };
  const jest = { title: 'jest', run: () => runWholeJest(options, filters) };
  const e2e = { title: 'browser', run: () => runPlaywright(options, filters) };
  if (parts.includes('unit')) return [unit];
  return [
    ...(parts.includes('static') ? [statics] : []),
    build,
    ...(parts.includes('jest') ? [jest] : []),
    ...(parts.includes('e2e') ? [e2e] : []),
  ];
}

/** Runs the steps in sequence, also after a failed one; keeps the outputs in tmp/. */
export async function runSteps(steps: readonly Step[], stop: AbortSignal): Promise<TestCounts[]> {
  const results: TestCounts[] = [];
  await mkdir(reports, { recursive: true });
  for (const { title, run } of steps) {
    if (stop.aborted) break;
    const started = Date.now();
    console.log(`\n── ${title} ${'─'.repeat(Math.max(0, 60 - title.length))}`);
    const counts = await run().catch((error: unknown): TestCounts => {
      console.error(messageOf(error));
      return { passed: 0, failed: 1 };
    });
    console.log(`── ${title}: ${counts.failed ? `${counts.failed} failed` : 'passed'} (${secondsSince(started)})`);
    results.push(counts);
  }
  return results;
}

function asOneTest({ ok }: CommandResult): TestCounts {
  return ok ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function runWholeJest(options: CommandOptions, filters: string[]): Promise<TestCounts> {
  await ensureDebianServices(options);
  return runJest(options, filters);
}

/** @param selection Jest's arguments that select projects and files. */
async function runJest(options: CommandOptions, selection: readonly string[]): Promise<TestCounts> {
  const report = join(reports, 'jest.json');
  await rm(report, { force: true });
  // Jest would wait for open connections that a failed test left behind.
  const args = ['--forceExit', '--json', `--outputFile=${report}`, ...selection];
  const nodeArgs = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const result = await runTool('node_modules/jest/bin/jest.js', args, { ...options, nodeArgs });
  await writeFile(join(reports, 'jest.log'), result.output);
  const found = await readReport(report, (json) => ({ ...countJest(json), failures: describeJestFailures(json) }));
  return { ...judgeSuite(result.ok, found), failures: found?.failures };
}

async function runPlaywright(options: CommandOptions, filters: string[]): Promise<TestCounts> {
  const report = join(reports, 'playwright.json');
  await rm(report, { force: true });
  const env = {
    ...options.env,
    CHROMIUM_PATH: await ensureBrowser({ env: options.env, signal: options.signal }),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
  };
  const args = ['test', '-c', 'apps/client-e2e/playwright.config.ts', ...filters];
  const result = await runTool('node_modules/@playwright/test/cli.js', args, { ...options, env });
  await writeFile(join(reports, 'playwright.log'), result.output);
  const tests = await readReport(report, readBrowserTests);
  const unexpected = tests && (await describeUnexpected(tests, (path) => readFile(path, 'utf8')));
  if (unexpected) console.log(`\n${unexpected}\n`);
  return judgeSuite(result.ok, tests && countBrowserTests(tests));
}

/** Returns undefined for a missing or unreadable report: the suite did not run to its end. */
async function readReport<T>(path: string, parse: (report: unknown) => T): Promise<T | undefined> {
  try {
    return parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    console.error(`No usable report in ${path}: ${String(error)}`);
    return undefined;
  }
}
