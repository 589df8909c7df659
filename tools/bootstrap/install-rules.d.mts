export interface InstallFacts {
  /** package-lock.json */
  lockText: string;
  /** node_modules/.package-lock.json, which npm writes at the end of an installation. */
  hiddenText: string | undefined;
  /** Fingerprint of the last complete installation by Homeport. */
  marker: string | undefined;
  platform: string;
}
export function fingerprintOf(lockText: string, platform: string): string;
export function judgeInstall(facts: InstallFacts): string;
export function adviceFor(output: string): string;
