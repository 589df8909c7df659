/** Whether to run the full suite (`npm run suite`) instead of a sample. */
export const isFull = process.env['HOMEPORT_SUITES'] === 'full';
