/** Whether to run the full suites (`npm run suite`) instead of samples. */
export const isFullSuite = process.env['HOMEPORT_SUITES'] === 'full';

/** @returns the number of cases to run: `sample` by default, `full` with `npm run suite`. */
export function suiteSize(sample: number, full: number): number {
  return isFullSuite ? full : sample;
}
