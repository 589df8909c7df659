import { SandboxBreached, SandboxUnavailable } from '../application/sandbox.errors';
import type { Sandbox } from '../application/sandbox.port';

/** What a machine can do with one kind of sandbox. */
export interface SandboxReport {
  readonly name: 'bubblewrap' | 'gvisor';
  /** Whether apps can run in it with all of its walls. */
  readonly isUsable: boolean;
  /** Each wall that is missing, or the reason why the sandbox does not start; facts about it when it is usable. */
  readonly findings: readonly string[];
  /** What makes it usable; undefined when it is, or when nothing is known. */
  readonly remedy: string | undefined;
}

/** A sandbox, and what is limited in it although all walls hold. */
export interface OpenedSandbox {
  readonly sandbox: Sandbox;
  readonly notes: readonly string[];
}

/** Opens a sandbox and lets it try all of its walls. */
export async function reportOn(
  name: SandboxReport['name'],
  open: () => Promise<OpenedSandbox>,
  signal: AbortSignal,
): Promise<SandboxReport> {
  try {
    const { sandbox, notes } = await open();
    await sandbox.examine(signal);
    return { name, isUsable: true, findings: ['all walls hold', ...notes], remedy: undefined };
  } catch (error) {
    if (error instanceof SandboxBreached)
      return { name, isUsable: false, findings: error.walls.map((wall) => `open: ${wall}`), remedy: undefined };
    if (!(error instanceof SandboxUnavailable)) throw error;
    return { name, isUsable: false, findings: [error.reason], remedy: error.remedy };
  }
}
