import { embeddedServices } from '@homeport/platform/server/testing';

/** @returns the number of cases to run: `sample` by default, `full` with `npm run suite`. */
export function suiteSize(sample: number, full: number): number {
  return embeddedServices()['SUITES'] === 'full' ? full : sample;
}
