import type { InstanceState, LogStream, RuntimeState } from '@homeport/apps/contracts';

export interface RuntimeReport {
  readonly state: RuntimeState;
  readonly reason: string | null;
  readonly instances: readonly InstanceReport[];
}

export interface InstanceReport {
  readonly id: string;
  readonly deployId: string;
  readonly state: InstanceState;
  readonly startedAt: Date;
  readonly memoryBytes: number;
  readonly requests: number;
}

export interface LoggedLine {
  /** A decimal number; later lines have higher numbers. */
  readonly id: string;
  readonly at: Date;
  readonly stream: LogStream;
  readonly line: string;
  readonly deployId: string;
  readonly instanceId: string;
}

/** Which lines of the log of an app to read. */
export interface LogSelection {
  /** Only lines of this deploy. */
  readonly deployId?: string;
  /** Only later lines. */
  readonly since?: Date;
  /** Only lines after the one with this id. */
  readonly after?: string;
  /** Only lines before the one with this id. */
  readonly before?: string;
}

/** How much of the logs is kept. */
export interface LogRetention {
  readonly days: number;
  /** Bytes of the lines of each app. */
  readonly bytes: number;
}

/** Reads what runtimes report about apps. Every method can reject with DatabaseUnavailable. */
export abstract class RuntimeReports {
  abstract find(appId: string): Promise<RuntimeReport>;

  /** @returns the first lines of the selection, oldest first. */
  abstract lines(appId: string, selection: LogSelection, limit: number): Promise<readonly LoggedLine[]>;

  /** @returns the last lines of the selection, oldest first. */
  abstract lastLines(appId: string, selection: LogSelection, limit: number): Promise<readonly LoggedLine[]>;

  /** Removes lines beyond the retention, and those of deleted apps. @returns the number of lines. */
  abstract removeLines(retention: LogRetention): Promise<number>;
}
