import { embeddedServices } from '@homeport/platform/server/testing';

/** How often a suite repeats itself: a sample in every run, all of it when `npm run suite` asks. */
export function suiteSize(sample: number, full: number): number {
  return embeddedServices()['SUITES'] === 'full' ? full : sample;
}
