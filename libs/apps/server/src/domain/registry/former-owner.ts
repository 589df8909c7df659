/**
 * How long a former owner of a name is remembered, and how long browsers are told to drop what that owner stored, in
 * days. Browsers keep service workers without a limit; a visitor who stays away for longer keeps theirs.
 */
export const FORMER_OWNER_DAYS = 365;

/** Who had a name that no app has now. */
export interface FormerOwner {
  readonly organization: string;
  readonly releasedAt: Date;
  /** Until then browsers may hold data of an owner before this one. */
  readonly clearsDataUntil: Date | undefined;
}
