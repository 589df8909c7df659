import { LogThrottle } from '../domain/log-throttle';
import type { RuntimeLimits } from '../domain/runtime-limits';
import type { InstanceLine } from './runtime-pool';

/** A line with the time at which it was written. */
export interface TimedLine extends InstanceLine {
  readonly at: Date;
}

/** Stores the logs of apps. */
export abstract class LogRecords {
  /** Stores lines in their order and tells readers. @throws {DatabaseUnavailable} */
  abstract append(lines: readonly TimedLine[]): Promise<void>;
}

/** Lines that wait for PostgreSQL, and their characters, at most. Older ones are dropped. */
const MAX_WAITING = 20_000;
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;
const BATCH = 1_000;
/** Lines of a deploy that a failed start reports, and how long they are kept after the last one. */
const LAST_LINES = 50;
const LAST_LINES_MS = 60_000;
const MAX_DEPLOYS = 1_000;

export interface InstanceLogsOptions {
  readonly records: LogRecords;
  readonly limits: Pick<RuntimeLimits, 'logBytesPerSecond' | 'logLineBytes'>;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Collects the logs of all instances, limits them, and stores them in batches. */
export class InstanceLogs {
  readonly #throttles = new Map<string, { readonly throttle: LogThrottle; readonly last: InstanceLine }>();
  /** By deploy, the one that wrote last at the end. */
  readonly #lastLines = new Map<string, { readonly lines: readonly string[]; readonly at: number }>();
  #waiting: TimedLine[] = [];
  #waitingCharacters = 0;
  #flushing: Promise<void> | undefined;

  constructor(private readonly options: InstanceLogsOptions) {}

  readonly add = (line: InstanceLine): void => {
    const known = this.#throttles.get(line.instanceId);
    const throttle = known?.throttle ?? this.#createThrottle();
    this.#throttles.set(line.instanceId, { throttle, last: line });
    const text = throttle.admit(line.line);
    if (text === undefined) return;
    this.#reportDropped(throttle, line);
    this.#push({ ...line, line: text });
  };

  /** The last lines of a deploy, of all its instances. */
  linesOf(deployId: string): readonly string[] {
    return this.#lastLines.get(deployId)?.lines ?? [];
  }

  /** Stores the collected lines. Never rejects: while PostgreSQL is unavailable, they wait. */
  flush(): Promise<void> {
    for (const { throttle, last } of this.#throttles.values()) this.#reportDropped(throttle, last);
    this.#flushing ??= this.#store().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  /** Forgets instances that write no more, and the last lines of deploys that wrote none for a while. */
  forget(isRunning: (instanceId: string) => boolean): void {
    for (const id of this.#throttles.keys()) if (!isRunning(id)) this.#throttles.delete(id);
    const expired = this.options.now() - LAST_LINES_MS;
    for (const [id, { at }] of this.#lastLines) if (at < expired) this.#lastLines.delete(id);
  }

  #createThrottle(): LogThrottle {
    const { limits, now } = this.options;
    return new LogThrottle({ bytesPerSecond: limits.logBytesPerSecond, lineBytes: limits.logLineBytes, now });
  }

  #reportDropped(throttle: LogThrottle, line: InstanceLine): void {
    const dropped = throttle.takeDropped();
    if (dropped > 0) this.#push({ ...line, stream: 'system', line: `${dropped} lines dropped.` });
  }

  #push(line: InstanceLine): void {
    const lines = [...this.linesOf(line.deployId).slice(1 - LAST_LINES), line.line];
    this.#lastLines.delete(line.deployId);
    this.#lastLines.set(line.deployId, { lines, at: this.options.now() });
    const [oldest] = this.#lastLines.keys();
    if (this.#lastLines.size > MAX_DEPLOYS && oldest !== undefined) this.#lastLines.delete(oldest);
    this.#waiting.push({ ...line, at: new Date() });
    this.#waitingCharacters += line.line.length;
    if (this.#waiting.length > MAX_WAITING || this.#waitingCharacters > MAX_WAITING_CHARACTERS) this.#take();
  }

  /** @returns the oldest lines, which wait no more. */
  #take(): TimedLine[] {
    const batch = this.#waiting.splice(0, BATCH);
    this.#waitingCharacters -= charactersOf(batch);
    return batch;
  }

  async #store(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        await this.options.records.append(batch);
      } catch (error) {
        this.#waiting = [...batch, ...this.#waiting];
        this.#waitingCharacters += charactersOf(batch);
        return this.options.onError(error);
      }
    }
  }
}

function charactersOf(lines: readonly TimedLine[]): number {
  return lines.reduce((sum, { line }) => sum + line.length, 0);
}
