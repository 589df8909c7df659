import type { SandboxExit } from './sandbox.port';

/** A server exited before it listened. */
export class SandboxExited extends Error {
  constructor(readonly exit: SandboxExit) {
    super(`The server exited before it listened: ${describeExit(exit)}.`);
    this.name = 'SandboxExited';
  }
}

/** Walls of the sandbox do not hold on this machine: apps must not run. */
export class SandboxBreached extends Error {
  /** @param walls the names of the walls, each with what was possible. */
  constructor(readonly walls: readonly string[]) {
    super(`The sandbox does not isolate apps: ${walls.join('; ')}.`);
    this.name = 'SandboxBreached';
  }
}

/** This machine cannot start a sandbox. */
export class SandboxUnavailable extends Error {
  /** What makes it available, such as a command. */
  readonly remedy: string | undefined;
  /** The file or folder that causes it: `startFailureOf` finds the setting by it. */
  readonly path: string | undefined;

  constructor(
    readonly reason: string,
    { remedy, path, ...options }: ErrorOptions & { readonly remedy?: string | undefined; readonly path?: string } = {},
  ) {
    super(remedy === undefined ? reason : `${reason} ${remedy}`, options);
    this.name = 'SandboxUnavailable';
    this.remedy = remedy;
    this.path = path;
  }
}

/** States an exit in words for logs and error messages. */
export function describeExit({ code, signal, isOutOfMemory }: SandboxExit): string {
  if (isOutOfMemory) return 'it exceeded its memory limit';
  return signal === null ? `exit code ${code}` : `signal ${signal}`;
}
