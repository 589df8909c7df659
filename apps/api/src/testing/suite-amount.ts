import { embeddedServices } from '@homeport/platform/server/testing';

/** How often a suite repeats itself: a sample in every run, all of it when `SUITE=full` asks (`npm run suite`). */
export function suiteAmount(sample: number, full: number): number {
  return embeddedServices()['SUITE'] === 'full' ? full : sample;
}
