/**
 * How long a former owner of a name is remembered, and how long browsers are told to clear that owner's data, in days.
 * Browsers keep service workers without a time limit, so a visitor who returns later still has the old one.
 */
export const FORMER_OWNER_DAYS = 365;

/** The last owner of a name that no app has now. */
export interface FormerOwner {
  readonly organization: string;
  readonly releasedAt: Date;
  /** Until this time browsers may still have data of an earlier owner. */
  readonly clearsDataUntil: Date | undefined;
}
