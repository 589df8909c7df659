/**
 * How long a former owner of a name is remembered, and how long browsers are told to clear that owner's data, in days.
 * Browsers keep service workers without a time limit, so a visitor who returns later still has the old one.
 */
export const FORMER_OWNER_DAYS = 365;

/** The rule that closes a released name to other organizations. */
export interface NameQuarantine {
  /** How long only the former organization can register a name; 0 disables the quarantine. */
  readonly days: number;
  /**
   * The maximum number of names that an organization has in quarantine. When it releases another name, the quarantine of
   * the name that it released first ends. Without a maximum, an organization could close any number of names.
   */
  readonly maxNames: number;
}

/** The last owner of a name that no app has now. */
export interface FormerOwner {
  readonly organization: string;
  readonly releasedAt: Date;
  /** Until this time browsers may still have data of an earlier owner. */
  readonly clearsDataUntil: Date | undefined;
}
