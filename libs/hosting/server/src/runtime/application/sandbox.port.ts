import type { ServerPlan } from '@homeport/hosting/contracts';

/** A line that the app wrote, or that the sandbox reports about it. */
export interface SandboxLine {
  readonly stream: 'stdout' | 'stderr' | 'system';
  /** Without the line break, at most 16 KiB. */
  readonly line: string;
}

export interface SandboxLimits {
  readonly memoryBytes: number;
  /** CPU cores. */
  readonly cpus: number;
  /** Processes and threads. Node itself needs 11. */
  readonly processes: number;
  /** Size of `/tmp`. */
  readonly tmpBytes: number;
}

export interface SandboxSpec {
  /** A UUID, which names the control groups and folders of the instance. */
  readonly instanceId: string;
  /** A UUID. As root, every app has its own user id. */
  readonly appId: string;
  /** Folder of the bundle on the host. The app sees it read-only at `/app`. */
  readonly appFolder: string;
  readonly plan: ServerPlan;
  /** The variables of the app. They pass through standard input, never through the command line. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  readonly onLine: (line: SandboxLine) => void;
}

/** How the main process of a sandbox ended. */
export interface SandboxExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether it was killed for exceeding its memory limit. */
  readonly isOutOfMemory: boolean;
}

/** A running server of an app. */
export interface SandboxedProcess {
  /** Unix socket on which the app serves HTTP, WebSockets included. It accepts connections once `listening` resolves. */
  readonly socketPath: string;
  /** Resolves when the app listens. @throws {SandboxExited} when it exits first. */
  readonly listening: Promise<void>;
  /** Resolves when the main process has exited, before what it leaves on this machine is removed. Never rejects. */
  readonly ended: Promise<void>;
  /** Resolves when the main process has exited and nothing inside runs any more. Never rejects. */
  readonly exited: Promise<SandboxExit>;
  /** Suspends all processes inside; connections stay open. Repeating is safe; does nothing after the exit. */
  freeze(): Promise<void>;
  /** Resumes all processes inside. Repeating is safe; does nothing after the exit. */
  thaw(): Promise<void>;
  /** Memory of all processes inside, in bytes; 0 after the exit. */
  memoryBytes(): Promise<number>;
  /**
   * Sends SIGTERM, and SIGKILL to everything inside when the grace period ends. Thaws a frozen sandbox. Resolves when
   * nothing is left. Repeating is safe.
   */
  stop(graceMs: number): Promise<void>;
}

/** Runs servers of apps apart from each other and from the host. */
export abstract class Sandbox {
  /** Starts a server. @throws {SandboxUnavailable} when this machine cannot start one. */
  abstract launch(spec: SandboxSpec): Promise<SandboxedProcess>;

  /**
   * Tries every wall from inside a sandbox.
   * @throws {SandboxBreached} with the walls that do not hold.
   * @throws {SandboxUnavailable} when this machine cannot start a sandbox.
   */
  abstract examine(signal: AbortSignal): Promise<void>;
}
