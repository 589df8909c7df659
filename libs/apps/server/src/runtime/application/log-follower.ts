import { setTimeout } from 'node:timers/promises';
import { DatabaseUnavailable } from '@homeport/kernel';
import type { LogLine } from '@homeport/apps/contracts';
import { LINES_PER_PAGE, presentLine } from './app-runtime';
import type { RuntimeFeed } from './runtime-feed.port';
import type { LogSelection, RuntimeReports } from './runtime-reports.port';

/** Notifications can be lost, so the log is read at least this often. */
const POLL_MS = 2_000;
/** After this many polls without a line, an empty batch is yielded, which keeps the connection open. */
const POLLS_PER_KEEP_ALIVE = 8;

/** Follows the logs of apps. */
export class LogFollower {
  constructor(
    private readonly reports: Pick<RuntimeReports, 'lines' | 'lastLines'>,
    private readonly feed: Pick<RuntimeFeed, 'subscribe'>,
  ) {}

  /**
   * Yields lines as they are written, in batches, until the signal is aborted. Begins with the last lines when the
   * selection has no beginning. An empty batch tells that nothing was written for a while.
   */
  async *follow(appId: string, selection: LogSelection, signal: AbortSignal): AsyncGenerator<readonly LogLine[]> {
    let wake: () => void = () => undefined;
    let isChanged = false;
    const unsubscribe = this.feed.subscribe(({ kind, id }) => {
      if (kind !== 'log' || id !== appId) return;
      isChanged = true;
      wake();
    });
    try {
      let { after } = selection;
      const isFromEnd = after === undefined && selection.since === undefined;
      let lines = isFromEnd ? await this.#read(() => this.reports.lastLines(appId, selection, LINES_PER_PAGE)) : [];
      for (let polls = 0; !signal.aborted; polls += 1) {
        if (lines.length > 0 || polls % POLLS_PER_KEEP_ALIVE === 0) yield lines.map(presentLine);
        after = lines.at(-1)?.id ?? after ?? (isFromEnd ? '0' : undefined);
        isChanged = false;
        const next = { ...selection, ...(after !== undefined && { after }) };
        lines = await this.#read(() => this.reports.lines(appId, next, LINES_PER_PAGE));
        if (lines.length > 0 || isChanged) continue;
        const woken = new AbortController();
        wake = () => woken.abort();
        await setTimeout(POLL_MS, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(
          () => undefined,
        );
      }
    } finally {
      unsubscribe();
    }
  }

  /** An outage of the database ends no stream: the next poll finds the lines. */
  async #read<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
    try {
      return await read();
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return [];
      throw error;
    }
  }
}
