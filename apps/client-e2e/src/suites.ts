/** Whether to run the full suite (`npm run suite`) instead of a sample. */
export const isFull = process.env['HOMEPORT_SUITES'] === 'full';

/** Tag of tests that only the full suite runs, because another test in the gate covers nearly the same code. */
export const SUITE_TAG = '@suite';
