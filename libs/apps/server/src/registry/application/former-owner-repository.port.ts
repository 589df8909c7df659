import type { NameHistory, NewFormerOwner } from '../domain/former-owner';

/** Stores the former owners of names. Every method can reject with DatabaseUnavailable. */
export abstract class FormerOwnerRepository {
  /**
   * Reads the past of a name. In the unit of work of a registration, call it after the app was added: `add` waits for a
   * concurrent deletion, and only then is the past complete.
   * @param maxLaterReleases where to stop counting the names that the former owner released later.
   */
  abstract historyOf(subdomain: string, maxLaterReleases: number): Promise<NameHistory>;

  /** Stores the former owner of a name whose app is deleted in the same unit of work. */
  abstract add(release: NewFormerOwner): Promise<void>;

  /** Removes the former owner of a name that was registered again. */
  abstract remove(subdomain: string): Promise<void>;

  /** Removes the former owners of names that were released more than `days` days ago. */
  abstract removeReleasedBefore(days: number): Promise<void>;
}
