export interface ProcessIdentity {
  pid: number;
  birth: string;
}
export function processStartOf(pid: number): string | undefined;
export function currentProcessIdentity(): ProcessIdentity;
export function isStillRunning(mark: ProcessIdentity): boolean;
