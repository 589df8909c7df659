import type { NameHistory, NameRelease } from '../../domain/registry/former-owner';

/** Stores the former owners of names. Every method can reject with DatabaseUnavailable. */
export abstract class NameRepository {
  /**
   * Reads the past of a name. In the unit of work of a registration, call it after the app was added: `add` waits for a
   * concurrent deletion, and only then is the past complete.
   * @param maxLaterReleases where to stop counting the names that the former owner released later.
   */
  abstract historyOf(subdomain: string, maxLaterReleases: number): Promise<NameHistory>;

  /** Stores the former owner of a name whose app is deleted in the same unit of work. */
  abstract recordRelease(release: NameRelease): Promise<void>;

  /** Removes the former owner of a name that was registered again. */
  abstract removeFormerOwner(subdomain: string): Promise<void>;

  /** Removes the former owners of names that were released before a number of days. */
  abstract removeReleasedBefore(days: number): Promise<void>;
}
