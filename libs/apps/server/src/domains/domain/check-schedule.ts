const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** After this time a claim that was never verified expires, and a verified one is checked daily, also while it fails. */
export const PENDING_LIFETIME_MS = 7 * DAY_MS;
/** Later checks of a claim follow at this share of its age. */
const BACK_OFF = 0.1;
/** Claims that were added or failed together drift apart: each delay varies by up to 10 %. */
const JITTER = 0.2;

/** What the time of the next check depends on. */
export interface CheckedClaim {
  readonly createdAt: Date;
  /** Whether the name is verified, leads here and has its certificate. */
  readonly isSettled: boolean;
  readonly verifiedAt: Date | undefined;
  /** Since when the proof of a verified claim is missing. */
  readonly troubleSince: Date | undefined;
}

/**
 * Milliseconds until the next check: every 15 seconds for 10 minutes, then every 1 to 60 minutes for 7 days, and daily
 * afterwards or when all is in order.
 * @param random from 0 to below 1; spreads the checks.
 */
export function checkDelay(claim: CheckedClaim, now: Date, random: number): number {
  return meanDelay(claim, now) * (1 + JITTER * (random - 0.5));
}

function meanDelay(claim: CheckedClaim, now: Date): number {
  if (claim.isSettled) return DAY_MS;
  const since = claim.troubleSince ?? claim.verifiedAt ?? claim.createdAt;
  const age = now.getTime() - since.getTime();
  if (age < 10 * MINUTE_MS) return 15 * SECOND_MS;
  if (age > PENDING_LIFETIME_MS) return DAY_MS;
  return Math.min(Math.max(age * BACK_OFF, MINUTE_MS), HOUR_MS);
}
