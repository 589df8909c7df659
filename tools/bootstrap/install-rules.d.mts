export interface InstallFacts {
  /** package-lock.json */
  lockText: string;
  /** node_modules/.package-lock.json, which npm writes at the end of an installation. */
  hiddenText: string | undefined;
  /** What the last installation by Homeport left when it was complete. */
  marker: string | undefined;
  platform: string;
}
export function fingerprintOf(lockText: string, platform: string): string;
export function judgeInstall(facts: InstallFacts): string;
export function adviceFor(output: string): string;
