/** Finds apps for tokens and trusts. The apps domain has them. Every method can reject with DatabaseUnavailable. */
export abstract class AppDirectory {
  /** Whether the organization has an app with this id; false for a malformed id. */
  abstract hasApp(organization: string, appId: string): Promise<boolean>;

  /** @returns the id of the app of a deploy; undefined when the organization has no such deploy. */
  abstract appOfDeploy(organization: string, deployId: string): Promise<string | undefined>;
}
