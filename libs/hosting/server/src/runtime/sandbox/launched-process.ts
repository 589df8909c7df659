import { SandboxExited } from '../application/sandbox.errors';
import type { SandboxedProcess, SandboxExit } from '../application/sandbox.port';
import type { GuestProcess } from './guest-process';

/** What differs between kinds of sandboxes. */
export interface ProcessControls {
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Sends SIGKILL to everything inside. */
  kill(): Promise<void>;
  memoryBytes(): Promise<number>;
}

/** The life of a launched server. */
export class LaunchedProcess implements SandboxedProcess {
  readonly socketPath: string;
  readonly listening: Promise<void>;
  readonly ended: Promise<void>;
  private hasExited = false;

  constructor(
    private readonly guest: GuestProcess,
    readonly exited: Promise<SandboxExit>,
    private readonly controls: ProcessControls,
  ) {
    this.socketPath = guest.socketPath;
    this.listening = Promise.race([
      guest.listened,
      exited.then((exit) => {
        throw new SandboxExited(exit);
      }),
    ]);
    // Callers that only wait for the exit do not have to handle this rejection.
    this.listening.catch(() => undefined);
    this.ended = guest.closed.then(() => void (this.hasExited = true));
  }

  async freeze(): Promise<void> {
    if (!this.hasExited) await this.controls.freeze();
  }

  async thaw(): Promise<void> {
    if (!this.hasExited) await this.controls.thaw();
  }

  async memoryBytes(): Promise<number> {
    return this.hasExited ? 0 : this.controls.memoryBytes();
  }

  async stop(graceMs: number): Promise<void> {
    if (!this.hasExited) {
      await this.controls.thaw();
      this.guest.requestStop();
    }
    const timer = setTimeout(() => void this.kill(), graceMs);
    await this.exited;
    clearTimeout(timer);
  }

  /** A kill that fails leaves `exited` pending, which the caller of stop() notices. */
  private async kill(): Promise<void> {
    if (!this.hasExited) await this.controls.kill();
  }
}
