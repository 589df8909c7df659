import type { PageRequest } from '../../shared/application/list-request';
import type { ListPosition } from '../../shared/domain/list-cursor';
import type { App, AppChanges } from '../domain/app';
import type { AppRecord, NewApp } from '../domain/app-record';

export interface AppPage {
  readonly apps: readonly AppRecord[];
  /** Absent on the last page. */
  readonly end?: ListPosition;
}

/** A new app with its owner. */
export interface OwnedNewApp extends NewApp {
  readonly organization: string;
  /** The subject of the member who registers it. */
  readonly createdBy: string;
}

/** Stores apps. In addition to the documented errors, every method can reject with DatabaseUnavailable. */
export abstract class AppRepository {
  /** The number of apps of an organization. */
  abstract count(organization: string): Promise<number>;

  /** Waits for other registrations of the organization, and makes later ones wait, until the unit of work ends. */
  abstract lockRegistrations(organization: string): Promise<void>;

  /**
   * Adds an app without a deploy. Waits for a concurrent registration or deletion of an app with the same subdomain.
   * @throws {SubdomainTaken} when another app has the subdomain.
   */
  abstract add(app: OwnedNewApp): Promise<App>;

  /** Lists the organization's apps, newest first; all of them without a page. */
  abstract list(organization: string, page?: PageRequest): Promise<AppPage>;

  /** @returns undefined when the organization has no app with this id, or the id is malformed. */
  abstract find(organization: string, id: string): Promise<AppRecord | undefined>;

  /** Finds an app, and makes other changes of it wait until the unit of work ends. */
  abstract lock(organization: string, id: string): Promise<App | undefined>;

  /** Finds the app of a deploy like `lock`. */
  abstract lockByDeploy(organization: string, deployId: string): Promise<App | undefined>;

  /** Whether an app of any organization has the subdomain. */
  abstract hasSubdomain(subdomain: string): Promise<boolean>;

  /** Stores changes of an app. */
  abstract update(id: string, changes: AppChanges): Promise<void>;

  /** Restarts the servers of an app: runtimes compare the version with that of each running server. */
  abstract advanceRuntimeVersion(id: string): Promise<void>;

  /** Removes an app and its releases. @returns the removed app; undefined when the organization has no such app. */
  abstract remove(organization: string, id: string): Promise<App | undefined>;
}
