export { combinedSignal } from './combined-signal';
export { MinimumRate, RequestTooSlow, SYSTEM_RATE_CLOCK, UPLOAD_MINIMUM_RATE } from './minimum-rate';
export type { MinimumRateOptions, RateClock } from './minimum-rate';
