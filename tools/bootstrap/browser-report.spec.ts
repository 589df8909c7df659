import { describe, expect, it } from '@jest/globals';
import { countBrowserTests, describeUnexpected, readBrowserTests, snapshotOf } from './browser-report.ts';

const ERROR = { message: '\u001b[2mError:\u001b[22m not visible\n\nCall log:\n  - waiting\n\n  1 | source' };

/** A report with one test for each status. */
function reportOf(...statuses: readonly string[]): unknown {
  const tests = (status: string, index: number) => ({
    title: `test ${index}`,
    file: 'files.e2e.ts',
    line: 10 + index,
    tests: [
      {
        projectName: 'desktop',
        status,
        results: [
          {
            status: status === 'expected' ? 'passed' : 'failed',
            errors: status === 'expected' ? [] : [ERROR],
            attachments: [{ name: 'error-context', path: `/results/${index}.md` }],
          },
          { status: 'passed', errors: [], attachments: [] },
        ],
      },
    ],
  });
  const nested = { title: 'group', suites: [], specs: statuses.slice(1).map((each, index) => tests(each, index + 1)) };
  return { suites: [{ title: 'file', specs: statuses.slice(0, 1).map(tests), suites: [nested] }], errors: [] };
}

describe('browser report', () => {
  it('counts failed tests, and errors outside of tests', () => {
    const report = { ...Object(reportOf('expected', 'unexpected', 'skipped')), errors: [{}] };
    expect(countBrowserTests(readBrowserTests(report))).toEqual({ passed: 1, failed: 2 });
  });

  it('counts up to three unstable tests as passed', () => {
    const few = readBrowserTests(reportOf('expected', 'flaky', 'flaky', 'flaky'));
    expect(countBrowserTests(few)).toEqual({ passed: 4, failed: 0 });
    const many = readBrowserTests(reportOf('expected', 'flaky', 'flaky', 'flaky', 'flaky'));
    expect(countBrowserTests(many)).toEqual({ passed: 1, failed: 4 });
  });

  it('rejects a report of another format', () => {
    expect(() => readBrowserTests({ stats: {} })).toThrow();
  });

  it('prints the name, the error and the page of failed and unstable tests', async () => {
    const read = async (path: string) => `# Page snapshot\n\n\`\`\`yaml\n- main: ${path}\n\`\`\`\n`;
    const text = await describeUnexpected(readBrowserTests(reportOf('expected', 'unexpected', 'flaky')), read);
    expect(text).toContain('failed: [desktop] files.e2e.ts:11 › test 1\n  Error: not visible');
    expect(text).toContain('unstable: [desktop] files.e2e.ts:12 › test 2\n  Error: not visible');
    expect(text).toContain('  | - main: /results/1.md');
    expect(text).not.toContain('test 0');
    expect(text).not.toMatch(/source|waiting|\u001b/);
  });

  it('prints a test without a page file too', async () => {
    const text = await describeUnexpected(readBrowserTests(reportOf('unexpected')), () =>
      Promise.reject(new Error('ENOENT')),
    );
    expect(text).toContain('test 0');
  });
});

describe('page snapshot', () => {
  it('is the YAML block of the file, cut to 60 lines', () => {
    const lines = Array.from({ length: 90 }, (_, index) => `- line ${index}`);
    const text = `# Error details\n\n\`\`\`\nError\n\`\`\`\n\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\`\n\n# Test source\n`;
    expect(snapshotOf(text)).toEqual([...lines.slice(0, 60), '… 30 more lines']);
  });

  it('of a long page begins with its main part', () => {
    const navigation = Array.from({ length: 50 }, (_, index) => `  - link ${index}`);
    const main = ['  - main [ref=e9]:', ...Array.from({ length: 20 }, (_, index) => `    - text ${index}`)];
    expect(snapshotOf(`\`\`\`yaml\n${[...navigation, ...main].join('\n')}\n\`\`\`\n`)).toEqual(main);
  });

  it('is empty without such a block', () => {
    expect(snapshotOf('# Error details\n')).toEqual([]);
  });
});
