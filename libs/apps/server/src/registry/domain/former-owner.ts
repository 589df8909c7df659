/**
 * How long a former owner of a name is remembered, and how long browsers are told to clear that owner's data, in days.
 * Browsers keep service workers without a time limit, so a visitor who returns later still has the old one.
 */
export const FORMER_OWNER_DAYS = 365;

/** Milliseconds of a day. */
export const DAY_MS = 24 * 60 * 60 * 1_000;

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
  /** How many names the organization released after this one, counted up to the maximum of the quarantine. */
  readonly laterReleases: number;
}

/** What the deletion of an app records about its name. */
export type NewFormerOwner = Pick<FormerOwner, 'organization' | 'clearsDataUntil'> & { readonly subdomain: string };

/** The past of a name that no app has, or that an app has just registered. */
export interface NameHistory {
  /** The time of the store when it was read. The clocks of instances differ. */
  readonly readAt: Date;
  /** The organization whose DNS record may still exist at the name. */
  readonly recordOwner: string | undefined;
  readonly formerOwner: FormerOwner | undefined;
}

/** Whether the name is closed to this organization: by a DNS record of another one, or by the quarantine. */
export function isNameClosedTo(organization: string, history: NameHistory, quarantine: NameQuarantine): boolean {
  const { recordOwner, formerOwner, readAt } = history;
  if (recordOwner !== undefined && recordOwner !== organization) return true;
  if (!formerOwner || formerOwner.organization === organization) return false;
  const endsAt = formerOwner.releasedAt.getTime() + quarantine.days * DAY_MS;
  return quarantine.days > 0 && endsAt > readAt.getTime() && formerOwner.laterReleases < quarantine.maxNames;
}

/** The days after which neither the quarantine nor the clearing of browser data needs a former owner. */
export function formerOwnerRetentionDays(quarantine: NameQuarantine): number {
  return Math.max(quarantine.days, FORMER_OWNER_DAYS);
}
